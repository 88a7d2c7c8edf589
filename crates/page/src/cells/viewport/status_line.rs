//! Words in a picture: a status line, a notice along the top, and the reason if nothing is visible.

use std::sync::Arc;

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, Theme};
use bindpose_lesson::{CellKind, Lesson, LessonStep, Tint, number_text};
use bindpose_notebook::viewport::{ViewportFrame, first_not_finite};
use bindpose_notebook::{PageAddress, WeightsState, joint_words};
use bindpose_skin::{LANES, MeshNodeUse, Method, NormalRule, SkinStage, WeightSource};
use eframe::egui::{
    Align, Align2, FontId, Frame, Galley, Layout, Margin, Painter, Pos2, Rect, Ui, UiBuilder,
    text::LayoutJob, vec2,
};

use super::labels::paint_text_box;
use crate::PageContext;
use crate::diagnostic::page_link;

/// Prefix of the name of a view in the status line.
const VIEW_PREFIX: &str = "view: ";

/// Minimum height of a picture with the name of its view in the status line.
const MIN_VIEW_NAME_HEIGHT_PTS: f32 = 320.0;

/// Name of a tint in the status line and in the menu.
pub(super) fn tint_label(tint: Tint) -> &'static str {
    match tint {
        Tint::Base => "model’s own colours",
        Tint::Joints => "joints, mixed",
        Tint::Weight => "weight of the chosen joint",
        Tint::Solid => "solid colour",
        Tint::Normals => "normals as colours",
        Tint::Strongest => "strongest joint",
        Tint::JointIndices => "joint indices",
        Tint::Weights => "weights of all lanes",
        Tint::SumError => "error of Σw",
        Tint::Displacement => "displacement",
        Tint::WeightError => "error of the weights",
    }
}

/// Lists all deviations from the usual settings.
pub(in crate::cells) fn status_words(frame: &ViewportFrame<'_>, lesson: &Lesson) -> Vec<String> {
    let state = &frame.document.state;
    let mut words = Vec::new();
    if let Some(joint) = first_not_finite(&frame.derived.palette) {
        let joint = joint_words(joint.index(), &frame.derived.rig);
        words.push(format!("the matrix of {joint} is not finite: nothing is drawn"));
    }
    // A switch of stages on the page already displays the stage.
    let has_stage_switch = lesson.stage.iter().any(|cell| matches!(cell.kind, CellKind::Stages(_)));
    if state.stage == SkinStage::Bind && !has_stage_switch {
        words.push("unskinned".to_owned());
    }
    if state.stage == SkinStage::Blended && state.method != Method::default() {
        words.push(state.method.label().to_owned());
    }
    if state.stage != SkinStage::Joint {
        match state.mesh_node {
            MeshNodeUse::Ignored => {}
            MeshNodeUse::Applied => words.push("moved by the mesh’s node".to_owned()),
            MeshNodeUse::TakenOut => {
                words.push("the mesh’s node taken out, and put in again".to_owned());
            }
        }
    }
    match state.normals {
        NormalRule::InverseTranspose => {}
        NormalRule::SkinMatrix => words.push("normals by the skin matrix".to_owned()),
        NormalRule::Cofactor => words.push("normals by the cofactors alone".to_owned()),
        NormalRule::LeftAlone => words.push("normals left alone".to_owned()),
    }
    words.extend(describe_weights(frame));
    if frame.tint != frame.cell.tint {
        words.push(format!("{VIEW_PREFIX}{}", tint_label(frame.tint)));
    }
    if frame.derived.crowd().is_some() {
        words.push(if state.crowd.own_poses {
            format!("{} in poses of their own", state.crowd.count)
        } else {
            format!("{} in one pose", state.crowd.count)
        });
    }
    // The GPU draws the picture with at most eight influences a vertex. The numbers of the page
    // include all of them.
    let subject = match frame.derived.simplified_vertices() {
        0 => None,
        1 => Some("1 vertex has".to_owned()),
        count => Some(format!("{} vertices have", number_text::grouped(count as u32))),
    };
    if let Some(subject) = subject {
        words.push(format!(
            "{subject} more than eight influences; the picture uses the eight strongest"
        ));
    }
    words
}

/// Describes the source of the weights, or why they are not available. Returns `None` for the
/// model's own weights.
fn describe_weights(frame: &ViewportFrame<'_>) -> Option<String> {
    if let Some(words) = describe_missing_weights(frame) {
        return Some(words);
    }
    let weights_by = frame.document.state.weights_by;
    if weights_by.is_stored() {
        return None;
    }
    let power = match weights_by.source {
        WeightSource::InverseDistance => format!(", 1/d{}", superscript(weights_by.power)),
        _ => String::new(),
    };
    let limit = match weights_by.most as usize {
        LANES => String::new(),
        1 => ", 1 influence".to_owned(),
        count => format!(", {count} influences"),
    };
    Some(format!("weights: {}{power}{limit}", weights_by.source.label()))
}

/// Describes why the picture does not have the requested weights. Returns `None` if it has them.
pub(in crate::cells) fn describe_missing_weights(frame: &ViewportFrame<'_>) -> Option<String> {
    let source = frame.document.state.weights_by.source.label();
    match &frame.derived.weights_state {
        WeightsState::AsAsked => None,
        WeightsState::UnderWay(fraction) => {
            let percent = (100.0 * fraction) as u32;
            Some(format!("{source} is being worked out: {percent} %"))
        }
        WeightsState::Refused(reason) => Some(format!("the model’s own weights: {reason}")),
    }
}

/// Formats a number in superscript digits.
fn superscript(number: u32) -> String {
    number
        .to_string()
        .chars()
        .filter_map(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize))
        .collect()
}

/// Removes the name of the view from the status of a small picture, where the legend or the menu
/// displays it.
pub(super) fn fit_to_picture(mut words: Vec<String>, picture: Rect) -> Vec<String> {
    if picture.height() < MIN_VIEW_NAME_HEIGHT_PTS {
        words.retain(|words| !words.starts_with(VIEW_PREFIX));
    }
    words
}

/// Paints the status line in the upper left corner, beside the buttons in the right one.
pub(super) fn paint(painter: &Painter, rect: Rect, theme: &Theme, words: &[String]) {
    if words.is_empty() {
        return;
    }
    let width = (rect.width() - 150.0).max(80.0);
    let font = FontId::proportional(CAPTION_SIZE);
    let galley = painter.layout(words.join(" · "), font, theme.ink, width);
    let at = rect.left_top() + vec2(14.0, 12.0);
    paint_text_box(painter, theme, at, galley, vec2(6.0, 4.0), 0.88);
}

const NOTICE_LINE_HEIGHT_PTS: f32 = 17.0;

/// Paints a notice along the top of the picture, below `line_count` other lines. Returns true if
/// the notice is elided because the picture is small.
pub(super) fn paint_notice(
    painter: &Painter,
    rect: Rect,
    theme: &Theme,
    notice: &str,
    line_count: usize,
) -> bool {
    // Leave room for the buttons at the right, except in a small picture.
    let room = if rect.width() < 400.0 { rect.width() - 36.0 } else { rect.width() - 168.0 };
    let width = room.clamp(60.0, 560.0);
    let font = FontId::proportional(CAPTION_SIZE);
    let mut job = LayoutJob::simple(notice.to_owned(), font, theme.caution, width);
    job.wrap.max_rows = ((0.3 * rect.height() / NOTICE_LINE_HEIGHT_PTS) as usize).max(1);
    let galley = painter.layout_job(job);
    let is_elided = galley.elided;
    let at = Pos2::new(rect.left() + 18.0, rect.top() + 14.0 + 32.0 * line_count as f32);
    paint_text_box(painter, theme, at, galley, vec2(8.0, 5.0), 0.92);
    is_elided
}

const LINK_HEIGHT_PTS: f32 = 22.0;

/// Margin on both sides of the link to the doctor.
const LINK_MARGIN_PTS: i8 = 6;

/// Paints the reason why nothing is visible, below the middle of the picture, where a joint may
/// be drawn.
pub(super) fn paint_nothing_seen(painter: &Painter, rect: Rect, theme: &Theme, reason: &str) {
    let (galley, ground) = layout_nothing_seen(painter, rect, theme, reason);
    painter.rect_filled(ground.expand2(vec2(8.0, 4.0)), 6.0, theme.paper.gamma_multiply(0.88));
    painter.galley(nothing_seen_anchor(rect), galley, theme.quiet);
}

/// Shows a link below the reason if the lesson has a doctor at another step.
pub(super) fn doctor_link_ui(ui: &mut Ui, rect: Rect, reason: &str, page: &mut PageContext<'_>) {
    let steps = &page.lesson.steps;
    let Some(doctor_step) = steps.iter().position(LessonStep::has_all_findings) else {
        return;
    };
    if doctor_step == page.document.step {
        return;
    }
    let address = PageAddress::step(&page.lesson.slug, &steps[doctor_step].slug);
    let (_, ground) = layout_nothing_seen(ui.painter(), rect, page.theme, reason);
    let text = "See what the doctor finds".to_owned();
    let font = FontId::proportional(SMALL_SIZE);
    let galley = ui.painter().layout_no_wrap(text.clone(), font, page.theme.accent);
    let size = vec2(galley.size().x + 2.0 * f32::from(LINK_MARGIN_PTS), LINK_HEIGHT_PTS);
    let line = Align2::CENTER_TOP.anchor_size(ground.center_bottom() + vec2(0.0, 8.0), size);
    let mut line_ui = ui.new_child(
        UiBuilder::new()
            .id_salt("nothing seen")
            .max_rect(line)
            .layout(Layout::top_down(Align::Center)),
    );
    Frame::NONE
        .fill(page.theme.paper)
        .inner_margin(Margin::symmetric(LINK_MARGIN_PTS, 1))
        .show(&mut line_ui, |ui| page_link(ui, &text, address, page));
}

/// Middle of the upper edge of the reason why nothing is visible.
fn nothing_seen_anchor(rect: Rect) -> Pos2 {
    rect.center() + vec2(0.0, 24.0)
}

/// Lays out the reason why nothing is visible. Returns the centred text and its rectangle.
fn layout_nothing_seen(
    painter: &Painter,
    rect: Rect,
    theme: &Theme,
    reason: &str,
) -> (Arc<Galley>, Rect) {
    let width = (rect.width() - 32.0).max(60.0);
    let font = FontId::proportional(SMALL_SIZE);
    let mut job = LayoutJob::simple(reason.to_owned(), font, theme.quiet, width);
    job.halign = Align::Center;
    let galley = painter.layout_job(job);
    let ground = Align2::CENTER_TOP.anchor_size(nothing_seen_anchor(rect), galley.size());
    (galley, ground)
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{Device, SkinningFault, Transport, ViewportCell};
    use bindpose_notebook::GpuLimits;

    use crate::cells::testing::{Page, harness};
    use crate::cells::viewport;
    use egui_kittest::{Harness, kittest::Queryable};

    fn show_viewport(rig: &str, change: impl FnOnce(&mut Page)) -> Harness<'static, Page> {
        let mut page = Page::new(rig);
        change(&mut page);
        let mut harness = harness(page, |view, page| {
            viewport::ui(view, &ViewportCell::default(), "v", page, 300.0);
        });
        harness.run();
        harness
    }

    #[test]
    fn fallback_transport_is_described_in_the_picture() {
        let harness = show_viewport("centipede(300)", |page| {
            page.document.state.device = Device::LeastWebgl2;
            page.document.state.transport = Transport::UniformArray;
        });
        harness.get_by_label_contains(
            "Uniform array: 61 joints fit, this skin has 300; drawn through a texture instead.",
        );
    }

    #[test]
    fn bind_pose_is_shown_and_described_if_no_transport_fits() {
        let harness = show_viewport("centipede(300)", |page| {
            page.document.state.device = Device::Webgl1NoVertexTextures;
        });
        harness.get_by_label_contains("29 joints fit, this skin has 300. The bind pose is shown.");
        assert!(harness.query_by_label_contains("instead").is_none());
    }

    #[test]
    fn incomplete_texture_is_described_only_on_devices_where_it_is_incomplete() {
        let show_on_device = |device| {
            show_viewport("bone_grid", |page| {
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
        let least_webgl2 = show_on_device(Device::LeastWebgl2);
        least_webgl2.get_by_label_contains("the texture is incomplete");
        let here = show_on_device(Device::Here);
        assert!(here.query_by_label_contains("incomplete").is_none());
    }
}
