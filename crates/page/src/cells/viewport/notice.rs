//! What a reader must know of the way to the picture, along its top.

use super::marks::words_on_paper;
use eframe::egui::text::LayoutJob;
use eframe::egui::{FontId, Painter, Pos2, Rect, vec2};

use crate::theme::{CAPTION, Theme};

/// Height of a line, in points.
const LINE: f32 = 17.0;

/// The words, along the top of the picture, below so many lines of others. A
/// small picture shows their beginning; answers whether something is left out.
pub(super) fn paint(
    painter: &Painter,
    rect: Rect,
    theme: &Theme,
    words: &str,
    lines_above: usize,
) -> bool {
    // The buttons come out at the right; a small picture has no room for both.
    let room = if rect.width() < 400.0 { rect.width() - 36.0 } else { rect.width() - 168.0 };
    let width = room.clamp(60.0, 560.0);
    let font = FontId::proportional(CAPTION);
    let mut job = LayoutJob::simple(words.to_owned(), font, theme.caution, width);
    job.wrap.max_rows = ((0.3 * rect.height() / LINE) as usize).max(1);
    let galley = painter.layout_job(job);
    let at = Pos2::new(rect.left() + 18.0, rect.top() + 14.0 + 32.0 * lines_above as f32);
    let elided = galley.elided;
    words_on_paper(painter, theme, at, galley, (vec2(8.0, 5.0), 0.92));
    elided
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{Device, SkinningFault, Transport, ViewportCell};
    use bindpose_notebook::GpuLimits;

    use crate::cells::testing::{Page, harness};
    use crate::cells::viewport;
    use egui_kittest::{Harness, kittest::Queryable};

    fn shown(rig: &str, change: impl FnOnce(&mut Page)) -> Harness<'static, Page> {
        let mut page = Page::new(rig);
        change(&mut page);
        let mut harness = harness(page, |view, page| {
            viewport::ui(view, &ViewportCell::default(), "v", page, 300.0);
        });
        harness.run();
        harness
    }

    #[test]
    fn a_fallback_is_named_in_the_picture() {
        let harness = shown("centipede(300)", |page| {
            page.document.state.device = Device::LeastWebgl2;
            page.document.state.transport = Transport::UniformArray;
        });
        harness.get_by_label_contains(
            "Uniform array: 61 joints fit, this skin has 300; drawn through a texture instead.",
        );
    }

    #[test]
    fn where_no_way_is_open_the_bind_pose_is_shown_and_said_to_be() {
        let harness = shown("centipede(300)", |page| {
            page.document.state.device = Device::Webgl1NoVertexTextures;
        });
        harness.get_by_label_contains("29 joints fit, this skin has 300. The bind pose is shown.");
        assert!(harness.query_by_label_contains("instead").is_none());
    }

    #[test]
    fn an_incomplete_texture_is_said_to_be_one_and_only_where_it_is() {
        let with = |device| {
            shown("bone_grid", |page| {
                page.document.state.device = device;
                page.document.state.faults = [SkinningFault::Linear].into();
                page.limits = Some(GpuLimits {
                    vertex_uniform_vec4s: 1024,
                    texture_size: 4096,
                    vertex_texture_units: 16,
                    float_textures: true,
                    float_linear: true,
                    texel_fetch: true,
                    ..GpuLimits::default()
                });
            })
        };
        with(Device::LeastWebgl2).get_by_label_contains("the texture is incomplete");
        let here = with(Device::Here);
        assert!(here.query_by_label_contains("incomplete").is_none());
    }
}
