//! What a picture says in words: in a line what is not as usual, along its top what a
//! reader must know of it, and in the middle why nothing is to be seen.

use std::sync::Arc;

use bindpose_lesson::{CellKind, Lesson, LessonStep, Tint};
use bindpose_notebook::viewport::{ViewportFrame, first_not_finite};
use bindpose_notebook::{PageAddress, WeightsState, joint_words, number_text};
use bindpose_skin::{LANES, MeshNodeUse, Method, NormalRule, SkinStage, WeightSource};
use eframe::egui::{
    Align, Align2, FontId, Frame, Galley, Layout, Margin, Painter, Pos2, Rect, Ui, UiBuilder,
    text::LayoutJob, vec2,
};

use super::labels::words_on_paper;
use crate::PageContext;
use crate::diagnostic::page_link;
use crate::theme::{CAPTION, SMALL, Theme};

/// Before the name of a view.
const VIEW: &str = "view: ";

/// Pictures lower than this, in points, do not name their view.
const ROOM: f32 = 320.0;

/// What colours the surface, for people.
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

/// Everything that is not as usual.
pub(in crate::cells) fn words(frame: &ViewportFrame<'_>, lesson: &Lesson) -> Vec<String> {
    let document = frame.document;
    let mut words = Vec::new();
    words.extend(not_finite(frame));
    // The switch of the stages says it where there is one.
    let has_switch = lesson.stage.iter().any(|cell| matches!(cell.kind, CellKind::Stages(_)));
    if document.state.stage == SkinStage::Bind && !has_switch {
        words.push("unskinned".to_owned());
    }
    if document.state.stage == SkinStage::Blended && document.state.method != Method::default() {
        words.push(document.state.method.label().to_owned());
    }
    if document.state.stage != SkinStage::Joint {
        match document.state.mesh_node {
            MeshNodeUse::Ignored => {}
            MeshNodeUse::Applied => words.push("moved by the mesh’s node".to_owned()),
            MeshNodeUse::TakenOut => {
                words.push("the mesh’s node taken out, and put in again".to_owned());
            }
        }
    }
    match document.state.normals {
        NormalRule::InverseTranspose => {}
        NormalRule::SkinMatrix => words.push("normals by the skin matrix".to_owned()),
        NormalRule::Cofactor => words.push("normals by the cofactors alone".to_owned()),
        NormalRule::LeftAlone => words.push("normals left alone".to_owned()),
    }
    words.extend(weights(frame));
    if frame.tint != frame.cell.tint {
        words.push(format!("{VIEW}{}", tint_label(frame.tint)));
    }
    let crowd = document.state.crowd;
    if frame.derived.crowd().is_some() {
        words.push(if crowd.own_poses {
            format!("{} in poses of their own", crowd.count)
        } else {
            format!("{} in one pose", crowd.count)
        });
    }
    words.extend(simplified(frame.derived.simplified_vertices()));
    words
}

/// Whose matrix leaves nothing to draw.
fn not_finite(frame: &ViewportFrame<'_>) -> Option<String> {
    let joint = first_not_finite(&frame.derived.palette)?;
    let joint = joint_words(joint.index(), &frame.derived.rig);
    Some(format!("the matrix of {joint} is not finite: nothing is drawn"))
}

/// Where the weights come from, if not from the model, and what stands in their way.
fn weights(frame: &ViewportFrame<'_>) -> Option<String> {
    let by = frame.document.state.weights_by;
    if let Some(words) = without_weights(frame) {
        return Some(words);
    }
    if by.is_stored() {
        return None;
    }
    let power = match by.source {
        WeightSource::InverseDistance => format!(", 1/d{}", superscript(by.power)),
        _ => String::new(),
    };
    let most = match by.most as usize {
        LANES => String::new(),
        1 => ", 1 influence".to_owned(),
        most => format!(", {most} influences"),
    };
    Some(format!("weights: {}{power}{most}", by.source.label()))
}

/// Why the weights are not those that were asked for.
pub(in crate::cells) fn without_weights(frame: &ViewportFrame<'_>) -> Option<String> {
    let source = frame.document.state.weights_by.source.label();
    match &frame.derived.weights_state {
        WeightsState::AsAsked => None,
        WeightsState::UnderWay(fraction) => {
            let percent = (100.0 * fraction) as u32;
            Some(format!("{source} is being worked out: {percent} %"))
        }
        WeightsState::Refused(why) => Some(format!("the model’s own weights: {why}")),
    }
}

/// Digits as an exponent.
fn superscript(number: u32) -> String {
    let digit = |digit: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize);
    number.to_string().chars().filter_map(digit).collect()
}

/// The picture is the GPU's, which has room for eight influences a vertex; the
/// numbers of the page are of all of them.
fn simplified(vertices: usize) -> Option<String> {
    let subject = match vertices {
        0 => return None,
        1 => "1 vertex has".to_owned(),
        count => format!("{} vertices have", number_text::grouped(count as u32)),
    };
    Some(format!("{subject} more than eight influences; the picture uses the eight strongest"))
}

/// What stands in a picture of this size: a small one leaves the view to its
/// legend, or to the menu that chose it.
pub(super) fn fitting(mut words: Vec<String>, picture: Rect) -> Vec<String> {
    if picture.height() < ROOM {
        words.retain(|words| !words.starts_with(VIEW));
    }
    words
}

/// In the upper left corner; the buttons keep the right one.
pub(super) fn paint(painter: &Painter, rect: Rect, theme: &Theme, words: &[String]) {
    if words.is_empty() {
        return;
    }
    let width = (rect.width() - 150.0).max(80.0);
    let font = FontId::proportional(CAPTION);
    let galley = painter.layout(words.join(" · "), font, theme.ink, width);
    let at = rect.left_top() + vec2(14.0, 12.0);
    words_on_paper(painter, theme, at, galley, (vec2(6.0, 4.0), 0.88));
}

// What a reader must know of the way to the picture, along its top.

/// Height of a line, in points.
const LINE: f32 = 17.0;

/// The words, along the top of the picture, below so many lines of others. A
/// small picture shows their beginning; answers whether something is left out.
pub(super) fn paint_notice(
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

// In a picture in which nothing of the file is to be seen: why, and the way to the doctor.

/// Height of the line with the link, in points.
const LINK: f32 = 22.0;
/// On either side of it.
const BESIDE: i8 = 6;

/// These words in the middle, below the joint that may stand there.
pub(super) fn paint_nothing_seen(painter: &Painter, rect: Rect, theme: &Theme, words: &str) {
    let (galley, at, ground) = laid_out(painter, rect, theme, words);
    painter.rect_filled(ground.expand2(vec2(8.0, 4.0)), 6.0, theme.paper.gamma_multiply(0.88));
    painter.galley(at, galley, theme.quiet);
}

/// Below these words, where the open lesson has a doctor at another step.
pub(super) fn way_to_doctor(ui: &mut Ui, rect: Rect, words: &str, page: &mut PageContext<'_>) {
    let steps = &page.lesson.steps;
    let Some(there) =
        steps.iter().position(LessonStep::has_all_findings).filter(|&at| at != page.document.step)
    else {
        return;
    };
    let address = PageAddress::step(&page.lesson.slug, &steps[there].slug);
    let (_, _, ground) = laid_out(ui.painter(), rect, page.theme, words);
    let link = "See what the doctor finds".to_owned();
    let font = FontId::proportional(SMALL);
    let galley = ui.painter().layout_no_wrap(link.clone(), font, page.theme.accent);
    let size = vec2(galley.size().x + 2.0 * f32::from(BESIDE), LINK);
    let line = Align2::CENTER_TOP.anchor_size(ground.center_bottom() + vec2(0.0, 8.0), size);
    let place = UiBuilder::new().max_rect(line).layout(Layout::top_down(Align::Center));
    let mut below = ui.new_child(place.id_salt("nothing seen"));
    let paper = Frame::NONE.fill(page.theme.paper).inner_margin(Margin::symmetric(BESIDE, 1));
    paper.show(&mut below, |ui| page_link(ui, &link, address, page));
}

/// The words, where they are painted, and what they cover.
fn laid_out(
    painter: &Painter,
    rect: Rect,
    theme: &Theme,
    words: &str,
) -> (Arc<Galley>, Pos2, Rect) {
    let width = (rect.width() - 32.0).max(60.0);
    let font = FontId::proportional(SMALL);
    let mut job = LayoutJob::simple(words.to_owned(), font, theme.quiet, width);
    job.halign = Align::Center;
    let galley = painter.layout_job(job);
    let at = rect.center() + vec2(0.0, 24.0);
    let ground = Align2::CENTER_TOP.anchor_size(at, galley.size());
    (galley, at, ground)
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
