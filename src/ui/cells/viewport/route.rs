//! The way the palette takes to the picture on the device that is played, and
//! the words where it is not the one that was asked for.

use std::sync::Arc;

use eframe::egui::text::LayoutJob;
use eframe::egui::{FontId, Painter, Pos2, Rect, vec2};
use glam::Mat4;

use crate::lesson::{Fault, Transport};
use crate::notebook::scene::{CrowdScene, Scene, Way};
use crate::notebook::texels::{INCOMPLETE, Palette};
use crate::notebook::transport::{Load, chosen, limits_of, played};
use crate::ui::PageContext;

/// Height of a line of the notice, in points.
const LINE: f32 = 17.0;

/// What is drawn in the end.
pub(super) struct Route {
    /// How; `None`: no way is open, nothing can be skinned.
    way: Option<Way>,
    /// Is the texture incomplete, so that all reads are the same?
    incomplete: bool,
    /// Must a crowd share one palette, since this way carries no more?
    one_pose: bool,
    /// What a reader must know about it.
    pub(super) notice: Option<String>,
}

impl Route {
    /// As the document asks and the device allows. Without GL nothing is drawn,
    /// and nothing is refused.
    pub(super) fn new(page: &PageContext<'_>) -> Self {
        let document = page.document;
        let mut way = Way {
            transport: document.state.transport,
            faults: document.state.faults.clone(),
            normals: document.state.normals,
            limits: page
                .limits
                .and_then(|here| played(document.state.device, here))
                .map(Arc::new),
            shader: None,
        };
        let Some(limits) = limits_of(document.state.device, page.limits) else {
            return Self {
                way: Some(way),
                incomplete: false,
                one_pose: false,
                notice: None,
            };
        };
        let load = Load::of(document, page.derived);
        let taken = match chosen(document.state.transport, load, &limits) {
            Ok(taken) => taken,
            Err(no_way) => {
                return Self {
                    way: None,
                    incomplete: false,
                    one_pose: false,
                    notice: Some(format!("{no_way} The bind pose is shown.")),
                };
            }
        };
        way.transport = taken.transport;
        let palette = Palette {
            world_from_bind: &page.derived.palette,
            faults: &way.faults,
            transport: way.transport,
            float_linear: limits.float_linear,
        };
        let incomplete = palette.is_incomplete();
        let refused = taken.instead_of.map(|_| capital(&format!("{taken}.")));
        let notice = refused.or_else(|| {
            incomplete.then(|| {
                "LINEAR without OES_texture_float_linear: the texture is incomplete, and all \
                 vertices meet in one point."
                    .to_owned()
            })
        });
        let one_pose = way.transport != Transport::TexelFetch && document.state.crowd.own_poses;
        let many = document.state.crowd.count > 1;
        let notice = notice.or_else(|| {
            (one_pose && many).then(|| {
                "Poses of their own need one texture for all, read by texelFetch: here all share \
                 one pose."
                    .to_owned()
            })
        });
        Self {
            way: Some(way),
            incomplete,
            one_pose,
            notice,
        }
    }

    /// Puts it into the scene.
    pub(super) fn lead(self, scene: &mut Scene, page: &PageContext<'_>) {
        let Some(way) = self.way else {
            scene.ghost = true;
            scene.surface = false;
            scene.lines = false;
            scene.normals = false;
            return;
        };
        scene.way = way;
        if self.incomplete {
            // This machine's GL may well filter: what would be read is sent.
            let reads = Mat4::from_cols(INCOMPLETE, INCOMPLETE, INCOMPLETE, INCOMPLETE);
            scene.palette = vec![reads; scene.palette.len()].into();
            scene.way.faults.remove(&Fault::Linear);
        }
        if self.one_pose
            && let Some(crowd) = &scene.crowd
        {
            scene.crowd = Some(Arc::new(CrowdScene {
                world_from_instance: crowd.world_from_instance.clone(),
                palettes: Vec::new(),
            }));
        }
        scene.way.shader = page.document.shader_of(scene);
        if scene.way.shader.is_some() {
            // A text is written for one skin, not for a crowd.
            scene.crowd = None;
            if !scene.mesh.triangles.is_empty() {
                // It draws surfaces; lines by ours, over them, would show what
                // it no longer does.
                scene.surface |= scene.lines;
                scene.lines = false;
            }
        }
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// The words, along the top of the picture, below so many lines of others. A
/// small picture shows their beginning; answers whether something is left out.
pub(super) fn notice(
    painter: &Painter,
    rect: Rect,
    page: &PageContext<'_>,
    words: &str,
    lines_above: usize,
) -> bool {
    // The buttons come out at the right; a small picture has no room for both.
    let room = if rect.width() < 400.0 {
        rect.width() - 36.0
    } else {
        rect.width() - 168.0
    };
    let width = room.clamp(60.0, 560.0);
    let font = FontId::proportional(13.0);
    let mut job = LayoutJob::simple(words.to_owned(), font, page.theme.caution, width);
    job.wrap.max_rows = ((0.3 * rect.height() / LINE) as usize).max(1);
    let galley = painter.layout_job(job);
    let at = Pos2::new(
        rect.left() + 18.0,
        rect.top() + 14.0 + 32.0 * lines_above as f32,
    );
    let ground = Rect::from_min_size(at, galley.size()).expand2(vec2(8.0, 5.0));
    painter.rect_filled(ground, 6.0, page.theme.paper.gamma_multiply(0.92));
    let elided = galley.elided;
    painter.galley(at, galley, page.theme.caution);
    elided
}

#[cfg(test)]
mod tests {
    use crate::lesson::{Device, Fault, Transport, ViewportCell};
    use crate::notebook::GpuLimits;
    use crate::ui::cells::testing::{Page, harness};
    use crate::ui::cells::viewport;
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
                page.document.state.faults = [Fault::Linear].into();
                page.limits = Some(GpuLimits {
                    vertex_uniform_vec4s: 1024,
                    texture_size: 4096,
                    vertex_texture_units: 16,
                    float_linear: true,
                    ..GpuLimits::default()
                });
            })
        };
        with(Device::LeastWebgl2).get_by_label_contains("the texture is incomplete");
        let here = with(Device::Here);
        assert!(here.query_by_label_contains("incomplete").is_none());
    }
}
