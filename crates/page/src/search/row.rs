//! One result: its title, where it is, and the line with the words.

use bindpose_notebook::search::ContextLine;
use eframe::egui::{
    Align, Color32, CursorIcon, FontId, Id, Rect, Response, Role, Sense, TextFormat, Ui,
    WidgetInfo, text::LayoutJob, vec2,
};

use crate::theme::{CAPTION, INTERFACE, SMALL, Theme, font};

const SIDES: f32 = 14.0;
const ABOVE: f32 = 6.0;
const BETWEEN: f32 = 2.0;

/// What a row shows.
pub(super) struct ResultRow<'a> {
    pub(super) title: &'a ContextLine,
    /// Where it is, or its keys.
    pub(super) about: &'a str,
    pub(super) context: Option<&'a ContextLine>,
    /// A code, in letters of one width.
    pub(super) is_code: bool,
}

/// Draws it, as wide as there is room.
pub(super) fn ui(
    ui: &mut Ui,
    id: Id,
    theme: &Theme,
    shown: &ResultRow<'_>,
    chosen: bool,
) -> Response {
    let wide = ui.available_width();
    let room = (wide - 2.0 * SIDES).max(40.0);
    let painter = ui.painter();
    let mut head = LayoutJob::default();
    let plain =
        if shown.is_code { font::mono(SMALL, false) } else { FontId::proportional(INTERFACE) };
    marked(&mut head, shown.title, &plain, theme.ink, theme);
    if !shown.about.is_empty() {
        let about = TextFormat {
            font_id: FontId::proportional(CAPTION),
            color: theme.quiet,
            valign: Align::Center,
            ..TextFormat::default()
        };
        head.append(shown.about, 10.0, about);
    }
    head.wrap.max_width = room;
    let head = painter.layout_job(head);
    let context = shown.context.map(|line| {
        let mut job = LayoutJob::default();
        let plain = FontId::proportional(SMALL);
        marked(&mut job, line, &plain, theme.quiet, theme);
        job.wrap.max_width = room;
        job.wrap.max_rows = 3;
        painter.layout_job(job)
    });
    let below = context.as_ref().map_or(0.0, |c| BETWEEN + c.size().y);
    let size = vec2(wide, 2.0 * ABOVE + head.size().y + below);
    let (_, rect) = ui.allocate_space(size);
    let response = ui.interact(rect, id, Sense::click());
    let words = words(shown);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, chosen, &words));
    ui.ctx().accesskit_node_builder(id, |node| node.set_selected(chosen));
    let painter = ui.painter();
    if chosen {
        painter.rect_filled(rect, 0.0, theme.accent_wash);
        let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        painter.rect_filled(bar, 0.0, theme.accent);
    } else if response.hovered() {
        painter.rect_filled(rect, 0.0, theme.panel);
    }
    let corner = rect.min + vec2(SIDES, ABOVE);
    let after = corner + vec2(0.0, head.size().y + BETWEEN);
    painter.galley(corner, head, theme.ink);
    if let Some(context) = context {
        painter.galley(after, context, theme.quiet);
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}

/// A line whose marked words are strong and lit.
fn marked(job: &mut LayoutJob, line: &ContextLine, plain: &FontId, color: Color32, theme: &Theme) {
    let plain = TextFormat {
        font_id: plain.clone(),
        color,
        valign: Align::Center,
        ..TextFormat::default()
    };
    let marked = TextFormat {
        font_id: font::strong(plain.font_id.size),
        color: theme.ink,
        background: theme.lit,
        ..plain.clone()
    };
    let mut done = 0;
    for mark in &line.marks {
        job.append(&line.text[done..mark.start], 0.0, plain.clone());
        job.append(&line.text[mark.clone()], 0.0, marked.clone());
        done = mark.end;
    }
    job.append(&line.text[done..], 0.0, plain);
}

/// For those who do not see it.
fn words(shown: &ResultRow<'_>) -> String {
    let context = shown.context.map_or("", |line| &line.text);
    let parts = [shown.title.text.as_str(), shown.about, context];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}
