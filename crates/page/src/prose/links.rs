//! Links: what each kind looks like, and what it does; among them numbers that can be
//! dragged, stepped, typed and reset.

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
use super::typeset::{Face, MARK_WIDTH, PieceSpot};
use crate::theme::{BODY, SMALL, Theme, font};
use crate::widgets::{Scrub, ScrubChange, Tip as _, for_enabled, leads_to, lit_shape, tip_above};
use crate::{PageContext, touch};

/// The colour of a link's words, and whether they are semi-bold.
pub(super) fn color(
    target: &LinkTarget,
    plain: Color32,
    page: &PageContext<'_>,
) -> (Color32, bool) {
    let theme = page.theme;
    match target {
        LinkTarget::Param(name, _) if page_param(name, page.now()).is_none() => (theme.wrong, true),
        LinkTarget::Value(expr, _, when) if expr.eval(numbers(*when, page)).is_err() => {
            (theme.wrong, true)
        }
        LinkTarget::Param(name, _) if page.derived.driven(name).is_some() => (plain, true),
        LinkTarget::Param(..) => (theme.accent, true),
        LinkTarget::Value(..) => (plain, true),
        LinkTarget::Joint(joint) => match joint_index(joint, &page.derived.rig) {
            Ok(joint) => (theme.joint_text(joint), true),
            Err(_) => (theme.wrong, true),
        },
        LinkTarget::Vertex(vertex) => {
            let strongest = page.derived.influences.get(*vertex as usize);
            (
                strongest
                    .map_or(theme.accent, |influences| theme.joint_text(influences.strongest())),
                true,
            )
        }
        LinkTarget::Set(_)
        | LinkTarget::Lesson { .. }
        | LinkTarget::Model(_)
        | LinkTarget::Url(_) => (theme.accent, false),
        LinkTarget::Term(_) => (plain, false),
    }
}

/// One link: a widget over its words, by row, and what it paints behind them.
pub(super) fn link_ui(
    ui: &mut Ui,
    id: Id,
    spots: &[PieceSpot],
    face: Face,
    words: &str,
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
    let Some(response) = interact(ui, id, spots, sense) else {
        return;
    };
    if let LinkTarget::Value(expr, _, when) = target {
        return show_formula(&response, expr, *when, page);
    }
    if let LinkTarget::Param(name, _) = target
        && let Some(driven) = page.derived.driven(name)
    {
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words));
        let formula = &driven.formula;
        response.tip(format!("{name} follows {formula}. Change what that depends on."));
        return;
    }
    if let LinkTarget::Param(name, format) = target {
        if let Some(param) = page_param(name, page.now()) {
            let part = DemonstratedPart::Param(name.clone());
            page.view.placed.note(part, response.rect);
            scrub_ui(ui, &response, spots, name, &param, format, page);
        } else {
            response.widget_info(|| WidgetInfo::labeled(Role::Label, false, words));
            response.tip(format!("no parameter is called “{name}”"));
            return;
        }
    } else {
        let on = is_on(target, page);
        response.widget_info(|| match target {
            LinkTarget::Set(_) => WidgetInfo::selected(Role::Button, true, on, words),
            _ => WidgetInfo::labeled(Role::Link, true, words),
        });
        let response = response.clone().on_hover_cursor(CursorIcon::PointingHand);
        act(ui, &response, target, page);
    }
    dress(ui, &response, spots, face, target, page, behind);
}

/// The numbers that a link of this kind shows; of a page that is held, as they were.
pub(super) fn numbers<'p>(when: LinkWhen, page: &'p PageContext<'_>) -> &'p Derived {
    let held = page.view.presenter.held.as_deref();
    match when {
        LinkWhen::Always | LinkWhen::Now => held.map_or(page.derived, |held| &held.derived),
        LinkWhen::AtStart => page.at_start(),
    }
}

/// Where a number comes from, while it is pointed at; what its formula is about
/// lights up.
fn show_formula(response: &Response, expr: &Expr, when: LinkWhen, page: &mut PageContext<'_>) {
    if !touch::is_pointed_at(response) {
        return;
    }
    if let Some(subject) = expr.subject() {
        page.linked.hover(subject.into());
    }
    let wrong = expr.eval(numbers(when, page)).err();
    tip_above(for_enabled(response)).show(|ui| {
        ui.label(RichText::new(&expr.source).font(FontId::monospace(SMALL)));
        if let Some(wrong) = wrong {
            ui.label(wrong.to_string());
        } else if when == LinkWhen::AtStart {
            ui.label("at the start of this step");
        }
    });
}

/// One widget over several rows: the first row has the focus and the name, the
/// others lend it their pointer.
fn interact(ui: &Ui, id: Id, spots: &[PieceSpot], sense: Sense) -> Option<Response> {
    let (first, others) = spots.split_first()?;
    let grown = |spot: &PieceSpot| spot.rect.expand2(vec2(1.0, 0.0));
    let mut response = ui.interact(grown(first), id, sense);
    for (row, spot) in others.iter().enumerate() {
        let more = ui.interact(grown(spot), id.with(("row", row)), sense - Sense::FOCUSABLE);
        response |= more;
    }
    Some(response)
}

/// What hovering and clicking do.
fn act(ui: &Ui, response: &Response, target: &LinkTarget, page: &mut PageContext<'_>) {
    if let Some(entity) = entity_of(target, page)
        && (touch::is_pointed_at(response) || response.has_focus())
    {
        page.linked.hover(entity);
    }
    match target {
        LinkTarget::Term(slug) => return explain(response, slug, page),
        LinkTarget::Url(url) => {
            response.clone().tip(url);
        }
        LinkTarget::Joint(joint) => {
            if let Err(refused) = joint_index(joint, &page.derived.rig) {
                response.clone().tip(refused.plain_words());
                return;
            }
        }
        LinkTarget::Model(name) => {
            let words = format!("Opens {name}, which comes with this notebook");
            response.clone().tip(words);
        }
        LinkTarget::Lesson { lesson, step } => {
            let address = lesson_address(lesson, step.clone(), page);
            leads_to(response, &address);
            if response.clicked() {
                page.navigation.push(Navigation::Go(address));
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
        LinkTarget::Model(name) => return page.navigation.push(Navigation::Open(name.clone())),
        LinkTarget::Url(url) => return ui.ctx().open_url(OpenUrl::new_tab(url)),
        LinkTarget::Param(..)
        | LinkTarget::Value(..)
        | LinkTarget::Term(_)
        | LinkTarget::Lesson { .. } => return,
    };
    page.edits.push(edit);
}

/// As the open lesson means it, by its slug.
fn lesson_address(lesson: &str, step: Option<String>, page: &PageContext<'_>) -> PageAddress {
    let lessons = &page.set.lessons;
    let found = find_lesson_from(lessons, lesson, &page.lesson.slug);
    let lesson = found.map_or(lesson, |index| &lessons[index].slug).to_owned();
    PageAddress { lesson, step }
}

/// What a link lights up; `None`: nothing, or what is not there.
fn entity_of(target: &LinkTarget, page: &PageContext<'_>) -> Option<Entity> {
    match target {
        LinkTarget::Joint(joint) => joint_index(joint, &page.derived.rig).ok().map(Entity::Joint),
        LinkTarget::Vertex(vertex) => Some(Entity::Vertex(*vertex)),
        _ => None,
    }
}

/// The glossary's card: while hovered, and while it has the focus.
fn explain(response: &Response, slug: &str, page: &mut PageContext<'_>) {
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
    let is_table = |block: &LessonBlock| matches!(block, LessonBlock::Table { .. });
    let wide = term.blocks.iter().any(is_table);
    ui.set_max_width(if wide { 640.0 } else { 380.0 });
    ui.spacing_mut().item_spacing.y = 4.0;
    let title = RichText::new(&term.title).color(page.theme.ink);
    let strong = crate::theme::family::strong();
    ui.label(title.font(FontId::new(BODY, strong)));
    let most = ui.ctx().content_rect().height() * 0.6;
    ScrollArea::vertical().max_height(most).show(ui, |ui| {
        blocks::blocks_ui(ui, &term.blocks, page, &mut |_, _, _| {});
    });
}

/// Has the document the values that this link sets? False for other links.
fn is_on(target: &LinkTarget, page: &PageContext<'_>) -> bool {
    let LinkTarget::Set(settings) = target else {
        return false;
    };
    holds(settings, page.document, page.derived)
}

/// The ring before a `set:` link, filled when things are as it sets them.
pub(super) fn mark(
    spot: &PieceSpot,
    face: Face,
    target: &LinkTarget,
    page: &PageContext<'_>,
) -> Shape {
    let radius = 0.2 * face.size;
    let centre = Pos2::new(spot.rect.left() + 2.0 + radius, spot.baseline - 0.36 * face.size);
    if is_on(target, page) {
        Shape::circle_filled(centre, radius + 0.5, page.theme.accent)
    } else {
        Shape::circle_stroke(centre, radius, Stroke::new(1.25, page.theme.accent))
    }
}

/// Underline, wash and focus ring.
fn dress(
    ui: &Ui,
    response: &Response,
    spots: &[PieceSpot],
    face: Face,
    target: &LinkTarget,
    page: &PageContext<'_>,
    behind: &mut Vec<Shape>,
) {
    let theme = page.theme;
    let lit = entity_of(target, page).is_some_and(|entity| page.linked.is_lit(entity));
    let held = response.hovered() || response.dragged();
    let washed = held && !matches!(target, LinkTarget::Term(_));
    let (color, _) = color(target, theme.ink, page);
    for (row, spot) in spots.iter().enumerate() {
        let letters = spot.around_letters(face.size).expand2(vec2(2.5, 0.5));
        if lit {
            behind.push(lit_shape(theme, letters, 4.0));
        } else if washed {
            behind.push(Shape::rect_filled(letters, 4.0, theme.accent_wash));
        }
        // The ring that every control has goes around its first line.
        if row > 0 && response.has_focus() {
            let ring = Stroke::new(1.5, theme.accent);
            behind.push(Shape::rect_stroke(letters, 4.0, ring, StrokeKind::Outside));
        }
        let mut line = spot.rect;
        if row == 0 && matches!(target, LinkTarget::Set(_)) {
            line.min.x += MARK_WIDTH * face.size;
        }
        let stroke = match target {
            LinkTarget::Term(_) => Stroke::new(1.5, theme.quiet),
            LinkTarget::Param(..) => Stroke::new(1.5, color),
            _ => Stroke::new(1.0, color),
        };
        let dotted = matches!(target, LinkTarget::Term(_) | LinkTarget::Param(..)) && !held;
        underline(ui, line, spot.baseline + 0.2 * face.size, stroke, dotted, behind);
    }
}

/// On whole pixels, so that it is as sharp as the letters.
fn underline(ui: &Ui, across: Rect, y: f32, stroke: Stroke, dotted: bool, behind: &mut Vec<Shape>) {
    let ppp = ui.pixels_per_point();
    let snap = |points: f32| (points * ppp).round() / ppp;
    let thick = snap(stroke.width).max(1.0 / ppp);
    let (y, left, right) = (snap(y), snap(across.left()), across.right());
    let bar = |from: f32, to: f32| {
        let rect = Rect::from_x_y_ranges(from..=to, y..=y + thick);
        Shape::rect_filled(rect, 0.0, stroke.color)
    };
    if !dotted {
        behind.push(bar(left, right));
        return;
    }
    // Dots of two points, as many as fit, with even room between.
    let dot = snap(2.0);
    let count = ((right - left) / (2.0 * dot)).round().max(1.0);
    for i in 0..count as usize {
        let from = snap(left + (right - left - dot) * i as f32 / (count - 1.0).max(1.0));
        behind.push(bar(from, from + dot));
    }
}

// A number in the text that can be dragged, stepped, typed and reset.

/// Lets the reader change the number under `response`.
fn scrub_ui(
    ui: &mut Ui,
    response: &Response,
    spots: &[PieceSpot],
    name: &str,
    param: &PageParam,
    format: &NumberFormat,
    page: &mut PageContext<'_>,
) {
    let number = scrubbed_number(response.id, param, format);
    number.describe(ui, response, Role::SpinButton);
    let held = response.hovered() || response.dragged();
    if held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if let Some(joint) = param.joint.filter(|_| held) {
        page.linked.hover(Entity::Joint(joint));
    }
    let typed = spots.first().filter(|_| number.is_typed(ui));
    let change = if let Some(spot) = typed {
        number.typing(ui, |ui, edit, refused| {
            number_field_ui(ui, response.id, spot, edit, refused, page.theme)
        })
    } else {
        if !response.dragged() {
            let hint = format!("{}. {}", param.label, Scrub::hint(ui));
            response.clone().tip(hint);
        }
        number.interact(ui, response)
    };
    let same = |change: &ScrubChange| *change == ScrubChange::Set(param.value);
    page.change_param(name, change.filter(|change| !same(change)));
}

/// Without the brackets and words that it may stand in; the unit stays.
fn scrubbed_number(id: Id, param: &PageParam, format: &NumberFormat) -> Scrub {
    let unit = ["°", "%"].into_iter().find(|unit| format.suffix.trim_start().starts_with(unit));
    let number = Scrub::with_id(id, param.value, &param.label)
        .suffix(unit.unwrap_or_default())
        .range(param.range.0..=param.range.1)
        .limits(param.limits.0..=param.limits.1);
    let number = if param.whole { number.whole() } else { number.decimals(format.decimals) };
    let shown_per_stored = format.shown_per_stored();
    match param.step.filter(|_| !param.whole) {
        Some(step) => number.in_steps(step * shown_per_stored),
        None => number,
    }
}

/// The field over the number.
fn number_field_ui(
    ui: &Ui,
    id: Id,
    spot: &PieceSpot,
    edit: TextEdit<'_>,
    refused: bool,
    theme: &Theme,
) -> Response {
    let edge = if refused { theme.wrong } else { theme.accent };
    let frame = Frame::new()
        .fill(theme.paper)
        .stroke(Stroke::new(1.5, edge))
        .corner_radius(5.0)
        .inner_margin(Margin::symmetric(5, 0));
    let corner = Pos2::new(spot.rect.left() - 6.5, spot.baseline - 17.5);
    let edit = edit
        .margin(vec2(0.0, 2.0))
        .font(font::strong(BODY))
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
