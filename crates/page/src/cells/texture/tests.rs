use bindpose_lesson::Setting;
use bindpose_notebook::Edit;
use bindpose_notebook::Entity;

use super::*;
use crate::cells::testing::{Page, arm_with_a_node_above, harness};
use egui_kittest::{Harness, kittest::Queryable};

fn shown(page: Page, cell: TextureCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| ui(view, &cell, "t", page));
    harness.run();
    harness
}

/// Joint 1 turned by 60°, as in lesson 80.
fn turned() -> Page {
    let mut page = Page::new("bone_grid");
    let angle_rad = 60.0_f64.to_radians();
    page.document.state.params.insert("b1".to_owned(), angle_rad);
    page.document.state.joint = JointIndex(1);
    page
}

#[test]
fn each_texel_holds_a_column_of_the_matrix_of_its_row() {
    let harness = shown(turned(), TextureCell::default());
    harness.get_by_label("joint 0, texel 0: 1.00, 0.00, 0.00, 0.00");
    harness.get_by_label("joint 1, texel 0: 0.50, 0.87, 0.00, 0.00");
    harness.get_by_label("joint 1, texel 1: −0.87, 0.50, 0.00, 0.00");
    harness.get_by_label("joint 1, texel 2: 0.00, 0.00, 1.00, 0.00");
    harness.get_by_label("joint 2, texel 3: 2.00, −3.46, 0.00, 1.00");
    let read = "texelFetch(palette, ivec2(3, 1), 0) = (2.00, −3.46, 0.00, 1.00)";
    harness.get_by_label(read);
    harness.get_by_label("column 3 of joint 1: where the origin goes");
}

#[test]
fn rows_that_are_not_the_skins_are_counted() {
    let page = Page::with_rig(arm_with_a_node_above().into());
    let harness = shown(page, TextureCell::default());
    harness.get_by_label_contains("four floats each; 1 row is of a node outside the skins");
    let plain = shown(Page::new("arm"), TextureCell::default());
    assert!(plain.query_by_label_contains("outside").is_none());
    let shared = [JointRole::OfSkin, JointRole::Again, JointRole::Again];
    assert_eq!(beyond_the_skin(&shared), "; 2 rows repeat joints for other skins");
}

#[test]
fn pointing_at_a_texel_lights_its_column_and_says_how_it_is_read() {
    let mut harness = shown(turned(), TextureCell::default());
    harness.get_by_label_contains("joint 2, texel 1").hover();
    harness.run();
    let column = Entity::Column(JointIndex(2), 1);
    assert_eq!(harness.state().linked.hovered(), Some(column));
    harness.get_by_label("column 1 of joint 2: where the y axis goes");
    assert!(harness.state().edits.is_empty());
}

#[test]
fn a_texel_or_a_row_chooses_its_joint() {
    let mut harness = shown(turned(), TextureCell::default());
    harness.get_by_label_contains("joint 2, texel 0").click();
    harness.run();
    assert_eq!(
        harness.state().edits.last(),
        Some(&Edit::set(Setting::Joint(JointIndex(2).into())))
    );
    harness.get_by_label_contains("joint 0, row 0").click();
    harness.run();
    assert_eq!(
        harness.state().edits.last(),
        Some(&Edit::set(Setting::Joint(JointIndex(0).into())))
    );
    harness.hover_at(pos2(690.0, 490.0));
    harness.run();
    harness.get_by_label("column 0 of joint 0: where the x axis goes");
}

#[test]
fn with_centres_a_texel_is_read_where_its_middle_is() {
    let cell = TextureCell { centres: true, ..TextureCell::default() };
    let harness = shown(turned(), cell);
    harness.get_by_label_contains("0.125, 0.375, 0.625, 0.875");
    harness.get_by_label_contains("texture2D(palette, vec2(0.875, 0.500)) = (2.00");
}

#[test]
fn of_three_hundred_joints_only_what_is_seen_is_laid_out() {
    let mut page = Page::new("centipede(300)");
    page.document.state.joint = JointIndex(250);
    let mut harness = shown(page, TextureCell::default());
    harness.get_by_label_contains("palette: 4 × 300 texels");
    for joint in [250, 3, 120] {
        harness.state_mut().document.state.joint = JointIndex(joint);
        harness.run();
        harness.get_by_label_contains(&format!("joint {joint}, texel 3"));
        let texels = harness.query_all_by_label_contains(", texel ").count();
        assert!((24..=40).contains(&texels), "{texels} at joint {joint}");
    }
}

#[test]
fn nothing_is_clipped_in_a_narrow_column() {
    for (width, centres) in [(300.0, false), (300.0, true), (480.0, true), (900.0, true)] {
        let cell = TextureCell { centres, ..TextureCell::default() };
        let mut harness = harness(turned(), move |view, page| {
            view.set_max_width(width);
            ui(view, &cell, "t", page);
            let used = view.min_rect().width();
            assert!(used <= width + 0.5, "{used} of {width}");
        });
        harness.set_size(vec2(width + 16.0, 600.0));
        harness.run();
        let last = harness.get_by_label_contains("joint 2, texel 3").rect();
        assert!(last.right() <= width + 16.0, "{last:?}");
    }
}

#[test]
fn what_a_switch_says_moves_nothing_below_it() {
    use bindpose_lesson::SkinningFault;
    for width in [420.0, 560.0, 700.0] {
        let cell = TextureCell { faults: true, ..TextureCell::default() };
        let mut harness = shown(turned(), cell);
        harness.set_size(vec2(width, 1400.0));
        for transport in [Transport::TexelFetch, Transport::TextureCentres] {
            let mut first = None;
            let alone = SkinningFault::OF_TEXTURE.map(|fault| vec![fault]).into_iter();
            let together = [
                vec![],
                SkinningFault::OF_TEXTURE.to_vec(),
                vec![SkinningFault::Edge, SkinningFault::Linear],
            ];
            for faults in together.into_iter().chain(alone) {
                let state = &mut harness.state_mut().document.state;
                state.transport = transport;
                state.faults = faults.iter().copied().collect();
                harness.run();
                let texel = harness.get_by_label_contains("joint 0, texel 0:").rect();
                let path = harness.get_by_label("path: WebGL 1").rect();
                let now = [texel.top(), path.top()];
                let first = *first.get_or_insert(now);
                let moved = (now[0] - first[0]).abs().max((now[1] - first[1]).abs());
                let told = format!("{width}, {transport:?}, {faults:?}");
                assert!(moved < 0.5, "{told}: {first:?}, {now:?}");
            }
        }
    }
}
