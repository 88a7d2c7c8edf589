//! Links in prose: their style and their interaction, among them numbers that can be
//! dragged, stepped, typed and reset.

use bindpose_kit::theme::{BODY_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::touch;
use bindpose_kit::typeset::{Face, MARK_WIDTH_EM, PieceSpot, snap_to_pixel};
use bindpose_kit::widgets::{
    Scrub, ScrubChange, Tip as _, for_enabled, highlight_shape, set_link_address, tip_above,
};
use bindpose_lesson::{
    Expr, LessonBlock, LinkTarget, LinkWhen, NumberFormat, Setting, Term, find_lesson_from,
};
use bindpose_notebook::demonstration::DemonstratedPart;
use bindpose_notebook::page_state::{PageParam, page_param};
use bindpose_notebook::{Derived, Edit, Entity, Navigation, PageAddress, holds, joint_index};
use eframe::egui::{
    Area, Color32, CursorIcon, FontId, Frame, Id, Margin, OpenUrl, Order, Pos2, Rect, Response,
    RichText, Role, ScrollArea, Sense, Shape, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo, vec2,
};

use super::blocks;
use crate::PageContext;

/// Returns the color of a link's text, and whether it is semi-bold.
pub(super) fn link_style(
    target: &LinkTarget,
    text_color: Color32,
    page: &PageContext<'_>,
) -> (Color32, bool) {
    let theme = page.theme;
    match target {
        LinkTarget::Param(name, _) if page_param(name, page.page_state()).is_none() => {
            (theme.wrong, true)
        }
        LinkTarget::Value(expr, _, when) if expr.eval(values_at(*when, page)).is_err() => {
            (theme.wrong, true)
        }
        LinkTarget::Param(name, _) if page.derived.driven(name).is_some() => (text_color, true),
        LinkTarget::Param(..) => (theme.accent, true),
        LinkTarget::Value(..) => (text_color, true),
        LinkTarget::Joint(joint) => match joint_index(joint, &page.derived.rig) {
            Ok(joint) => (theme.joint_text(joint), true),
            Err(_) => (theme.wrong, true),
        },
        LinkTarget::Vertex(vertex) => {
            let influences = page.derived.influences.get(*vertex as usize);
            (
                influences
                    .map_or(theme.accent, |influences| theme.joint_text(influences.strongest())),
                true,
            )
        }
        LinkTarget::Set(_)
        | LinkTarget::Lesson { .. }
        | LinkTarget::Model(_)
        | LinkTarget::Url(_) => (theme.accent, false),
        LinkTarget::Term(_) => (text_color, false),
    }
}

/// Adds the widgets of a link over its text, one per row, and its decoration to `behind`.
pub(super) fn link_ui(
    ui: &mut Ui,
    id: Id,
    spots: &[PieceSpot],
    face: Face,
    label: &str,
    target: &LinkTarget,
    page: &mut PageContext<'_>,
    behind: &mut Vec<Shape>,
) {
    let sense = match target {
        LinkTarget::Value(..) => Sense::hover(),
        LinkTarget::Param(name, _) if page.derived.driven(name).is_some() => Sense::hover(),
        LinkTarget::Param(..) => Sense::click_and_drag(),
        _ => Sense::click(),
    };
    let Some(response) = add_link_widgets(ui, id, spots, sense) else {
        return;
    };
    if let LinkTarget::Value(expr, _, when) = target {
        return show_formula_tooltip(&response, expr, *when, page);
    }
    if let LinkTarget::Param(name, _) = target
        && let Some(driven) = page.derived.driven(name)
    {
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, label));
        let formula = &driven.formula;
        response.tip(format!("{name} follows {formula}. Change what that depends on."));
        return;
    }
    if let LinkTarget::Param(name, format) = target {
        if let Some(param) = page_param(name, page.page_state()) {
            let part = DemonstratedPart::Param(name.clone());
            page.view.item_rects.record_part(part, response.rect);
            scrub_ui(ui, &response, spots, name, &param, format, page);
        } else {
            response.widget_info(|| WidgetInfo::labeled(Role::Label, false, label));
            response.tip(format!("no parameter is called “{name}”"));
            return;
        }
    } else {
        let is_selected = has_link_settings(target, page);
        response.widget_info(|| match target {
            LinkTarget::Set(_) => WidgetInfo::selected(Role::Button, true, is_selected, label),
            _ => WidgetInfo::labeled(Role::Link, true, label),
        });
        let response = response.clone().on_hover_cursor(CursorIcon::PointingHand);
        handle_link(ui, &response, target, page);
    }
    decorate_link(ui, &response, spots, face, target, page, behind);
}

/// Returns the values that a link shows. While the page is frozen, these are the frozen
/// values.
pub(super) fn values_at<'p>(when: LinkWhen, page: &'p PageContext<'_>) -> &'p Derived {
    let frozen = page.view.presenter.frozen.as_deref();
    match when {
        LinkWhen::Always | LinkWhen::Now => frozen.map_or(page.derived, |frozen| &frozen.derived),
        LinkWhen::AtStart => page.at_start(),
    }
}

/// Shows the formula of a number while it is pointed at, and highlights the subject of
/// the formula.
fn show_formula_tooltip(
    response: &Response,
    expr: &Expr,
    when: LinkWhen,
    page: &mut PageContext<'_>,
) {
    if !touch::is_pointed_at(response) {
        return;
    }
    if let Some(subject) = expr.subject() {
        page.linked.hover(subject.into());
    }
    let error = expr.eval(values_at(when, page)).err();
    tip_above(for_enabled(response)).show(|ui| {
        ui.label(RichText::new(&expr.source).font(FontId::monospace(SMALL_SIZE)));
        if let Some(error) = error {
            ui.label(error.to_string());
        } else if when == LinkWhen::AtStart {
            ui.label("at the start of this step");
        }
    });
}

/// Adds one widget per row. The first has the focus and the name, and the responses of
/// the others are merged into its response.
fn add_link_widgets(ui: &Ui, id: Id, spots: &[PieceSpot], sense: Sense) -> Option<Response> {
    let (first, others) = spots.split_first()?;
    let margin = vec2(1.0, 0.0);
    let mut response = ui.interact(first.rect.expand2(margin), id, sense);
    for (row, spot) in others.iter().enumerate() {
        let id = id.with(("row", row));
        response |= ui.interact(spot.rect.expand2(margin), id, sense - Sense::FOCUSABLE);
    }
    Some(response)
}

/// Handles hovering over and clicking a link.
fn handle_link(ui: &Ui, response: &Response, target: &LinkTarget, page: &mut PageContext<'_>) {
    if let Some(entity) = linked_entity(target, page)
        && (touch::is_pointed_at(response) || response.has_focus())
    {
        page.linked.hover(entity);
    }
    match target {
        LinkTarget::Term(slug) => return show_term_tooltip(response, slug, page),
        LinkTarget::Url(url) => {
            response.clone().tip(url);
        }
        LinkTarget::Joint(joint) => {
            if let Err(error) = joint_index(joint, &page.derived.rig) {
                response.clone().tip(error.plain_words());
                return;
            }
        }
        LinkTarget::Model(name) => {
            let text = format!("Opens {name}, which comes with this notebook");
            response.clone().tip(text);
        }
        LinkTarget::Lesson { lesson, step } => {
            let address = lesson_address(lesson, step.clone(), page);
            set_link_address(response, || address.link());
            if response.clicked() {
                page.requests.go_to(address);
            }
            return;
        }
        _ => {}
    }
    if !response.clicked() {
        return;
    }
    let edit = match target {
        LinkTarget::Joint(joint) => Edit::set(Setting::Joint(joint.clone())),
        LinkTarget::Vertex(vertex) => Edit::set(Setting::Vertex(*vertex)),
        LinkTarget::Set(settings) => Edit::Settings(settings.clone()),
        LinkTarget::Model(name) => {
            return page.requests.navigation.push(Navigation::Open(name.clone()));
        }
        LinkTarget::Url(url) => return ui.ctx().open_url(OpenUrl::new_tab(url)),
        LinkTarget::Param(..)
        | LinkTarget::Value(..)
        | LinkTarget::Term(_)
        | LinkTarget::Lesson { .. } => return,
    };
    page.requests.edits.push(edit);
}

/// Resolves the address of a lesson link relative to the open lesson.
fn lesson_address(lesson: &str, step: Option<String>, page: &PageContext<'_>) -> PageAddress {
    let lessons = &page.set.lessons;
    let slug = match find_lesson_from(lessons, lesson, &page.lesson.slug) {
        Ok(index) => lessons[index].slug.clone(),
        Err(_) => lesson.to_owned(),
    };
    PageAddress { lesson: slug, step }
}

/// Returns what a link highlights. Returns `None` if it highlights nothing or something
/// that does not exist.
fn linked_entity(target: &LinkTarget, page: &PageContext<'_>) -> Option<Entity> {
    match target {
        LinkTarget::Joint(joint) => joint_index(joint, &page.derived.rig).ok().map(Entity::Joint),
        LinkTarget::Vertex(vertex) => Some(Entity::Vertex(*vertex)),
        _ => None,
    }
}

/// Shows the glossary entry while the link is hovered or has the focus.
fn show_term_tooltip(response: &Response, slug: &str, page: &mut PageContext<'_>) {
    let glossary = &page.set.glossary;
    let term = glossary.iter().find(|term| term.slug == slug);
    if response.clicked() {
        response.request_focus();
    }
    let mut tooltip = for_enabled(response);
    if response.has_focus() {
        tooltip.popup = tooltip.popup.open(true);
    }
    tip_above(tooltip).show(|ui| match term {
        Some(term) => term_ui(ui, term, page),
        None => {
            ui.label(format!("The glossary has no entry “{slug}”."));
        }
    });
}

fn term_ui(ui: &mut Ui, term: &Term, page: &mut PageContext<'_>) {
    let has_table = term.blocks.iter().any(|block| matches!(block, LessonBlock::Table { .. }));
    ui.set_max_width(if has_table { 640.0 } else { 380.0 });
    ui.spacing_mut().item_spacing.y = 4.0;
    let title = RichText::new(&term.title).color(page.theme.ink);
    let strong = bindpose_kit::theme::family::strong();
    ui.label(title.font(FontId::new(BODY_SIZE, strong)));
    let max_height = ui.ctx().content_rect().height() * 0.6;
    ScrollArea::vertical().max_height(max_height).show(ui, |ui| {
        blocks::blocks_ui(ui, &term.blocks, page, &mut |_, _, _| {});
    });
}

/// Returns true if the document has the values that a `set:` link sets. Returns false for
/// other links.
fn has_link_settings(target: &LinkTarget, page: &PageContext<'_>) -> bool {
    let LinkTarget::Set(settings) = target else {
        return false;
    };
    holds(settings, page.document, page.derived)
}

/// Returns the ring before a `set:` link, filled if the document has its values.
pub(super) fn settings_mark(
    spot: &PieceSpot,
    face: Face,
    target: &LinkTarget,
    page: &PageContext<'_>,
) -> Shape {
    let radius = 0.2 * face.size;
    let center = Pos2::new(spot.rect.left() + 2.0 + radius, spot.baseline - 0.36 * face.size);
    if has_link_settings(target, page) {
        Shape::circle_filled(center, radius + 0.5, page.theme.accent)
    } else {
        Shape::circle_stroke(center, radius, Stroke::new(1.25, page.theme.accent))
    }
}

/// Adds the underline, highlight and focus ring of a link.
fn decorate_link(
    ui: &Ui,
    response: &Response,
    spots: &[PieceSpot],
    face: Face,
    target: &LinkTarget,
    page: &PageContext<'_>,
    behind: &mut Vec<Shape>,
) {
    let theme = page.theme;
    let is_lit = linked_entity(target, page).is_some_and(|entity| page.linked.is_lit(entity));
    let is_active = response.hovered() || response.dragged();
    let has_wash = is_active && !matches!(target, LinkTarget::Term(_));
    let (color, _) = link_style(target, theme.ink, page);
    for (row, spot) in spots.iter().enumerate() {
        let text_rect = spot.around_letters(face.size).expand2(vec2(2.5, 0.5));
        if is_lit {
            behind.push(highlight_shape(theme, text_rect, 4.0));
        } else if has_wash {
            behind.push(Shape::rect_filled(text_rect, 4.0, theme.accent_wash));
        }
        // The common focus ring surrounds the first row only.
        if row > 0 && response.has_focus() {
            let ring = Stroke::new(1.5, theme.accent);
            behind.push(Shape::rect_stroke(text_rect, 4.0, ring, StrokeKind::Outside));
        }
        let mut underline_rect = spot.rect;
        if row == 0 && matches!(target, LinkTarget::Set(_)) {
            underline_rect.min.x += MARK_WIDTH_EM * face.size;
        }
        let stroke = match target {
            LinkTarget::Term(_) => Stroke::new(1.5, theme.quiet),
            LinkTarget::Param(..) => Stroke::new(1.5, color),
            _ => Stroke::new(1.0, color),
        };
        let is_dotted = matches!(target, LinkTarget::Term(_) | LinkTarget::Param(..)) && !is_active;
        paint_underline(
            ui,
            underline_rect,
            spot.baseline + 0.2 * face.size,
            stroke,
            is_dotted,
            behind,
        );
    }
}

/// Adds an underline on whole pixels, so that it is as sharp as the letters.
fn paint_underline(
    ui: &Ui,
    rect: Rect,
    y: f32,
    stroke: Stroke,
    is_dotted: bool,
    behind: &mut Vec<Shape>,
) {
    let pixels_per_point = ui.pixels_per_point();
    let top = snap_to_pixel(y, pixels_per_point);
    let thickness = snap_to_pixel(stroke.width, pixels_per_point).max(1.0 / pixels_per_point);
    let y_range = top..=top + thickness;
    let left = snap_to_pixel(rect.left(), pixels_per_point);
    let right = rect.right();
    if !is_dotted {
        let bar = Rect::from_x_y_ranges(left..=right, y_range);
        behind.push(Shape::rect_filled(bar, 0.0, stroke.color));
        return;
    }
    // Dots two points wide, as many as fit with even gaps.
    let dot_width = snap_to_pixel(2.0, pixels_per_point);
    let count = ((right - left) / (2.0 * dot_width)).round().max(1.0);
    for index in 0..count as usize {
        let offset = (right - left - dot_width) * index as f32 / (count - 1.0).max(1.0);
        let dot_left = snap_to_pixel(left + offset, pixels_per_point);
        let dot = Rect::from_x_y_ranges(dot_left..=dot_left + dot_width, y_range.clone());
        behind.push(Shape::rect_filled(dot, 0.0, stroke.color));
    }
}

// Numbers in prose that can be dragged, stepped, typed and reset.

/// Lets the reader change the parameter whose number is under `response`.
fn scrub_ui(
    ui: &mut Ui,
    response: &Response,
    spots: &[PieceSpot],
    name: &str,
    param: &PageParam,
    format: &NumberFormat,
    page: &mut PageContext<'_>,
) {
    let number = param_scrub(response.id, param, format);
    number.describe(ui, response, Role::SpinButton);
    let is_active = response.hovered() || response.dragged();
    if is_active {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if let Some(joint) = param.joint.filter(|_| is_active) {
        page.linked.hover(Entity::Joint(joint));
    }
    let typing_spot = spots.first().filter(|_| number.is_typed(ui));
    let requested = if let Some(spot) = typing_spot {
        number.typing_ui(ui, |ui, edit, is_refused| {
            number_field_ui(ui, response.id, spot, edit, is_refused, page.theme)
        })
    } else {
        if !response.dragged() {
            let hint = format!("{}. {}", param.label, Scrub::hint(ui));
            response.clone().tip(hint);
        }
        number.interact(ui, response)
    };
    let change = requested.filter(|change| *change != ScrubChange::Set(param.value));
    page.change_param(name, change);
}

/// Creates the drag value of a parameter, without the text around the number but with its
/// unit.
fn param_scrub(id: Id, param: &PageParam, format: &NumberFormat) -> Scrub {
    let unit = ["°", "%"].into_iter().find(|unit| format.suffix.trim_start().starts_with(unit));
    let scrub = Scrub::with_id(id, param.value, &param.label)
        .suffix(unit.unwrap_or_default())
        .range(param.range.0..=param.range.1)
        .limits(param.limits.0..=param.limits.1);
    match param.step {
        _ if param.whole => scrub.whole(),
        Some(step) => scrub.decimals(format.decimals).in_steps(step * format.shown_per_stored()),
        None => scrub.decimals(format.decimals),
    }
}

/// Draws the text field over the number.
fn number_field_ui(
    ui: &Ui,
    id: Id,
    spot: &PieceSpot,
    edit: TextEdit<'_>,
    is_refused: bool,
    theme: &Theme,
) -> Response {
    let edge = if is_refused { theme.wrong } else { theme.accent };
    let frame = Frame::new()
        .fill(theme.paper)
        .stroke(Stroke::new(1.5, edge))
        .corner_radius(5.0)
        .inner_margin(Margin::symmetric(5, 0));
    let corner = Pos2::new(spot.rect.left() - 6.5, spot.baseline - 17.5);
    let edit = edit
        .margin(vec2(0.0, 2.0))
        .font(font::strong(BODY_SIZE))
        .text_color(theme.accent)
        .desired_width((spot.rect.width() + 24.0).max(72.0));
    Area::new(id.with("typing"))
        .order(Order::Foreground)
        .fixed_pos(corner)
        .constrain_to(ui.ctx().content_rect())
        .show(ui.ctx(), |ui| {
            ui.spacing_mut().interact_size.y = 0.0;
            frame.show(ui, |ui| ui.add(edit)).inner
        })
        .inner
}
