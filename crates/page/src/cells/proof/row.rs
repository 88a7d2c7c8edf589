//! One row: in columns where there is room, else in lines.

use bindpose_notebook::Entity;
use bindpose_notebook::gpu_proof::ProofOutcome;
use bindpose_notebook::number_text::{grouped, scientific};
use eframe::egui::{
    Align, Color32, FontId, Layout, Link, Rect, RichText, Role, Sense, Ui, UiBuilder, WidgetInfo,
    pos2, vec2,
};

use super::results::RowResult;
use crate::PageContext;
use crate::theme::{CAPTION, FINE, SMALL, Theme, font};
use crate::widgets::{PaintText, paint_verdict};

/// Widths for type of 12 points: method, largest error, mean error, normals,
/// worst vertex, verdict.
const WIDTHS: [f32; 6] = [96.0, 82.0, 82.0, 82.0, 44.0, 74.0];
const TITLES: [&str; 6] = ["method", "largest error", "mean error", "normals", "worst", ""];
/// The column that goes first where there is less room.
const MEAN: usize = 2;
/// Of the number of vertices, where there is room for it.
const VERTICES: f32 = 62.0;

/// How rows are laid out.
pub(super) enum ProofColumns {
    Side(SideColumns),
    /// Three lines.
    Stacked,
}

/// Columns side by side.
pub(super) struct SideColumns {
    /// Size of the type, in points.
    font: f32,
    /// As of [`WIDTHS`], 0 of a column that is left out.
    widths: [f32; 6],
    /// Width of one for the number of vertices, where it has one.
    vertices: Option<f32>,
}

impl ProofColumns {
    pub(super) fn fitting(room: f32) -> Self {
        let all: f32 = WIDTHS.iter().sum();
        let (least, vertices, mean) = if room >= all + VERTICES {
            (all + VERTICES, VERTICES, WIDTHS[MEAN])
        } else if room >= all {
            (all, 0.0, WIDTHS[MEAN])
        } else if room >= all - WIDTHS[MEAN] {
            (all - WIDTHS[MEAN], 0.0, 0.0)
        } else {
            return Self::Stacked;
        };
        let factor = room / least;
        let mut widths = WIDTHS;
        widths[MEAN] = mean;
        Self::Side(SideColumns {
            font: (FINE * factor).min(SMALL),
            widths: widths.map(|width| width * factor),
            vertices: (vertices > 0.0).then_some(vertices * factor),
        })
    }

    /// Titles of the columns; lines have their words in them.
    pub(super) fn titles(&self, ui: &mut Ui, theme: &Theme) {
        let Self::Side(SideColumns { widths, vertices, .. }) = self else {
            return;
        };
        let rect = room_for(ui, 22.0);
        let font = FontId::proportional(FINE);
        let painter = ui.painter();
        let paint = |x, words: &str| {
            let at = pos2(x, rect.center().y);
            painter.text_right(at, words, font.clone(), theme.quiet);
        };
        painter.text_left(rect.left_center(), TITLES[0], font.clone(), theme.quiet);
        let mut right = rect.left() + widths[0];
        if let Some(width) = vertices {
            right += width;
            paint(right, "vertices");
        }
        for (width, title) in widths.iter().zip(TITLES).skip(1) {
            right += width;
            if *width > 0.0 {
                paint(right, title);
            }
        }
    }
}

/// What is shown of one way.
pub(super) struct ProofRow<'a> {
    /// Its transport, for those who hear the page.
    pub(super) way: &'a str,
    pub(super) method: &'a str,
    /// Absent: not yet compared.
    pub(super) found: Option<&'a RowResult>,
    /// Words in the place of numbers.
    pub(super) instead: Option<&'a str>,
    /// Is the picture drawn like this?
    pub(super) marked: bool,
}

impl ProofRow<'_> {
    pub(super) fn ui(&self, ui: &mut Ui, columns: &ProofColumns, page: &mut PageContext<'_>) {
        match (self.instead, self.found.map(|found| &found.result)) {
            (Some(words), _) => self.words(ui, words, page),
            (None, Some(Err(words))) => self.words(ui, words, page),
            (None, Some(Ok(outcome))) => self.numbers(ui, columns, Some(*outcome), page),
            (None, None) => self.numbers(ui, columns, None, page),
        }
    }

    fn stale(&self) -> bool {
        self.found.is_some_and(|found| found.stale)
    }

    /// `passed`, `failed`, or that it is not known.
    fn verdict(&self) -> &'static str {
        match self.found {
            None => "waiting",
            Some(found) if found.stale => "outdated",
            Some(found) if found.passes() => "passed",
            Some(_) => "failed",
        }
    }

    /// Why there are no numbers.
    fn words(&self, ui: &mut Ui, words: &str, page: &PageContext<'_>) {
        let theme = page.theme;
        let font = FontId::proportional(CAPTION);
        let width = ui.available_width();
        let words_of = format!("{}: {words}", self.method);
        let galley = ui.painter().layout(words_of, font, theme.caution, width);
        let rect = room_for(ui, (galley.size().y + 6.0).max(24.0));
        self.ground(ui, rect, theme);
        let at = rect.left_center();
        ui.painter().galley_left(at, galley, theme.caution);
        self.name(ui, rect, words);
    }

    fn numbers(
        &self,
        ui: &mut Ui,
        columns: &ProofColumns,
        outcome: Option<ProofOutcome>,
        page: &mut PageContext<'_>,
    ) {
        let height = match columns {
            ProofColumns::Side(_) => 24.0,
            ProofColumns::Stacked => 66.0,
        };
        let rect = room_for(ui, height);
        self.ground(ui, rect, page.theme);
        let said = outcome.map_or_else(
            || self.verdict().to_owned(),
            |o| {
                format!(
                    "{}, {} vertices, largest error {}, mean error {}, normals {}, worst v{}",
                    self.verdict(),
                    o.vertices,
                    scientific(o.most),
                    scientific(o.mean),
                    scientific(o.most_normal),
                    o.worst,
                )
            },
        );
        self.name(ui, rect, &said);
        match columns {
            ProofColumns::Side(columns) => self.side(ui, rect, columns, outcome, page),
            ProofColumns::Stacked => self.stacked(ui, rect, outcome, page),
        }
    }

    fn side(
        &self,
        ui: &mut Ui,
        rect: Rect,
        columns: &SideColumns,
        outcome: Option<ProofOutcome>,
        page: &mut PageContext<'_>,
    ) {
        let SideColumns { font, widths, vertices } = *columns;
        let middle = rect.center().y;
        let color = self.color(page.theme);
        self.method_at(ui, pos2(rect.left(), middle), font + 1.0, page.theme);
        let mut right = rect.left() + widths[0];
        let number = |ui: &Ui, x: f32, text: &str| {
            let font = FontId::monospace(font);
            let at = pos2(x, middle);
            ui.painter().text_right(at, text, font, color);
        };
        if let Some(width) = vertices {
            right += width;
            if let Some(outcome) = outcome {
                number(ui, right, &grouped(outcome.vertices as u32));
            }
        }
        for (column, width) in widths.iter().enumerate().skip(1) {
            let left = right;
            right += width;
            let place = Rect::from_x_y_ranges(left..=right, rect.y_range());
            match (column, outcome) {
                _ if *width == 0.0 => {}
                (1..=3, _) => number(ui, right, &error(outcome, column - 1)),
                (4, Some(o)) => self.worst(ui, place, font, o.worst as u32, page),
                (5, _) => self.verdict_in(ui, place, font + 1.0, page.theme),
                _ => {}
            }
        }
    }

    fn stacked(
        &self,
        ui: &mut Ui,
        rect: Rect,
        outcome: Option<ProofOutcome>,
        page: &mut PageContext<'_>,
    ) {
        let (top, color) = (rect.top() + 13.0, self.color(page.theme));
        self.method_at(ui, pos2(rect.left(), top), SMALL, page.theme);
        let place = rect.with_max_y(rect.top() + 26.0);
        self.verdict_in(ui, place, CAPTION, page.theme);
        let half = (rect.width() / 2.0).min(170.0);
        for (index, title) in ["largest", "mean", "normals", "worst"].into_iter().enumerate() {
            let left = rect.left() + half * (index % 2) as f32 + 8.0 * (index % 2) as f32;
            let line = top + 21.0 + 19.0 * (index / 2) as f32;
            let (title_font, font) = (FontId::proportional(FINE), FontId::monospace(FINE));
            let painter = ui.painter();
            let at = pos2(left, line);
            painter.text_left(at, title, title_font, page.theme.quiet);
            let right = left + half - 12.0;
            if let (3, Some(outcome)) = (index, outcome) {
                let place = Rect::from_center_size(pos2(left + half / 2.0, line), vec2(0.0, 19.0))
                    .with_min_x(left + 50.0)
                    .with_max_x(right);
                self.worst(ui, place, FINE, outcome.worst as u32, page);
            } else {
                painter.text_right(pos2(right, line), error(outcome, index), font, color);
            }
        }
    }

    /// Behind a row: failed, or how the picture is drawn.
    fn ground(&self, ui: &Ui, rect: Rect, theme: &Theme) {
        let failed = self.found.is_some_and(|found| !found.stale && !found.passes());
        let fill = match (failed, self.marked) {
            (true, _) => theme.wrong_wash,
            (false, true) => theme.accent_wash,
            (false, false) => Color32::TRANSPARENT,
        };
        let rect = rect.expand2(vec2(6.0, 0.0));
        ui.painter().rect_filled(rect, 3.0, fill);
        if self.marked {
            paint_bar(ui, rect, theme);
        }
    }

    fn color(&self, theme: &Theme) -> Color32 {
        if self.found.is_none() || self.stale() { theme.quiet } else { theme.ink }
    }

    fn method_at(&self, ui: &Ui, at: eframe::egui::Pos2, size: f32, theme: &Theme) {
        let font = font::text(size, self.marked);
        ui.painter().text_left(at, self.method, font, theme.ink);
    }

    /// At the right end: the sign and the word.
    fn verdict_in(&self, ui: &Ui, place: Rect, size: f32, theme: &Theme) {
        let fresh = self.found.filter(|found| !found.stale);
        let color = match fresh.map(RowResult::passes) {
            Some(true) => theme.right,
            Some(false) => theme.wrong,
            None => theme.quiet,
        };
        let (at, font) = (place.right_center(), font::text(size, fresh.is_some()));
        let words = ui.painter().text_right(at, self.verdict(), font, color);
        if let Some(found) = fresh {
            let center = words.left_center() - vec2(11.0, 0.0);
            paint_verdict(ui, theme, center, size * 0.5, found.passes());
        }
    }

    /// `v12`: lit when hovered, chosen when clicked.
    fn worst(&self, ui: &mut Ui, place: Rect, size: f32, vertex: u32, page: &mut PageContext<'_>) {
        let place = UiBuilder::new()
            .id_salt((self.way, self.method))
            .max_rect(place)
            .layout(Layout::right_to_left(Align::Center));
        let mut ui = ui.new_child(place);
        let color = if self.stale() { page.theme.quiet } else { page.theme.accent };
        let text = RichText::new(format!("v{vertex}")).font(FontId::monospace(size));
        let link = ui.add(Link::new(text.color(color)));
        let label = format!("v{vertex}, worst of {}, {}: choose it", self.way, self.method);
        link.widget_info(|| WidgetInfo::labeled(Role::Link, true, &label));
        if link.has_focus() {
            page.linked.hover(Entity::Vertex(vertex));
        }
        page.link(&link, Entity::Vertex(vertex));
    }

    /// For those who hear the page, the row as one sentence.
    fn name(&self, ui: &Ui, rect: Rect, said: &str) {
        let drawn = if self.marked { ", the picture is drawn like this" } else { "" };
        let label = format!("{}, {}: {said}{drawn}", self.way, self.method);
        let id = ui.scope_id().with((self.way, self.method));
        let response = ui.interact(rect, id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    }
}

/// The largest error, the mean and the largest of normals, in this order.
fn error(outcome: Option<ProofOutcome>, index: usize) -> String {
    let errors = outcome.map(|o| [o.most, o.mean, o.most_normal]);
    let error = errors.and_then(|errors| errors.get(index).copied());
    error.map_or("…".to_owned(), scientific)
}

/// The whole width, and so high.
fn room_for(ui: &mut Ui, height: f32) -> Rect {
    let room = vec2(ui.available_width(), height);
    ui.allocate_exact_size(room, Sense::hover()).0
}

/// What marks the row of the picture.
pub(super) fn paint_mark(ui: &Ui, rect: Rect, theme: &Theme) {
    ui.painter().rect_filled(rect, 3.0, theme.accent_wash);
    paint_bar(ui, rect, theme);
}

fn paint_bar(ui: &Ui, rect: Rect, theme: &Theme) {
    let bar = rect.with_max_x(rect.left() + 3.0);
    ui.painter().rect_filled(bar, 1.5, theme.accent);
}
