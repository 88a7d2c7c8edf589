use bindpose_lesson::Setting;
use bindpose_notebook::Edit;
use bindpose_notebook::Entity;

use super::*;
use crate::cells::testing::{Page, arm_with_parent_node, harness};
use egui_kittest::{Harness, kittest::Queryable};

fn texture_harness(page: Page, cell: TextureCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| ui(view, &cell, "t", page));
    harness.run();
    harness
}

/// Joint 1 rotated by 60°, as in lesson 80.
fn rotated_bone_grid() -> Page {
    let mut page = Page::new("bone_grid").with_params(&[("b1", 60.0_f64.to_radians())]);
    page.document.state.joint = JointIndex(1);
    page
}

#[test]
fn texel_is_a_column_of_its_joints_matrix() {
    let harness = texture_harness(rotated_bone_grid(), TextureCell::default());
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
fn rows_outside_the_skin_are_counted() {
    let page = Page::with_rig(arm_with_parent_node().into());
    let harness = texture_harness(page, TextureCell::default());
    harness.get_by_label_contains("four floats each; 1 row is of a node outside the skins");
    let plain = texture_harness(Page::new("arm"), TextureCell::default());
    assert!(plain.query_by_label_contains("outside").is_none());
    let shared = [JointRole::OfSkin, JointRole::Again, JointRole::Again];
    assert_eq!(describe_extra_rows(&shared), "; 2 rows repeat joints for other skins");
}

#[test]
fn hovered_texel_highlights_its_column_and_shows_its_read() {
    let mut harness = texture_harness(rotated_bone_grid(), TextureCell::default());
    harness.get_by_label_contains("joint 2, texel 1").hover();
    harness.run();
    let column = Entity::Column(JointIndex(2), 1);
    assert_eq!(harness.state().linked.hovered(), Some(column));
    harness.get_by_label("column 1 of joint 2: where the y axis goes");
    assert!(harness.state().edits.is_empty());
}

#[test]
fn clicking_a_texel_or_a_badge_selects_the_joint() {
    let mut harness = texture_harness(rotated_bone_grid(), TextureCell::default());
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
fn texel_is_read_at_its_centre() {
    let cell = TextureCell { centres: true, ..TextureCell::default() };
    let harness = texture_harness(rotated_bone_grid(), cell);
    harness.get_by_label_contains("0.125, 0.375, 0.625, 0.875");
    harness.get_by_label_contains("texture2D(palette, vec2(0.875, 0.500)) = (2.00");
}

#[test]
fn only_visible_rows_are_laid_out() {
    let mut page = Page::new("centipede(300)");
    page.document.state.joint = JointIndex(250);
    let mut harness = texture_harness(page, TextureCell::default());
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
fn cell_fits_into_a_narrow_column() {
    for (width, centres) in [(300.0, false), (300.0, true), (480.0, true), (900.0, true)] {
        let cell = TextureCell { centres, ..TextureCell::default() };
        let mut harness = harness(rotated_bone_grid(), move |view, page| {
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
fn effects_do_not_move_content_below() {
    use bindpose_lesson::SkinningFault;
    for width in [420.0, 560.0, 700.0] {
        let cell = TextureCell { faults: true, ..TextureCell::default() };
        let mut harness = texture_harness(rotated_bone_grid(), cell);
        harness.set_size(vec2(width, 1400.0));
        for transport in [Transport::TexelFetch, Transport::TextureCentres] {
            let mut first = None;
            let single = SkinningFault::OF_TEXTURE.map(|fault| vec![fault]).into_iter();
            let combined = [
                vec![],
                SkinningFault::OF_TEXTURE.to_vec(),
                vec![SkinningFault::Edge, SkinningFault::Linear],
            ];
            for faults in combined.into_iter().chain(single) {
                let state = &mut harness.state_mut().document.state;
                state.transport = transport;
                state.faults = faults.iter().copied().collect();
                harness.run();
                let texel = harness.get_by_label_contains("joint 0, texel 0:").rect();
                let path = harness.get_by_label("path: WebGL 1").rect();
                let tops = [texel.top(), path.top()];
                let first = *first.get_or_insert(tops);
                let moved = (tops[0] - first[0]).abs().max((tops[1] - first[1]).abs());
                let case = format!("{width}, {transport:?}, {faults:?}");
                assert!(moved < 0.5, "{case}: {first:?}, {tops:?}");
            }
        }
    }
}
