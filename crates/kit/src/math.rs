//! Mathematics: TeX that is laid out by [`bindpose_lesson::laid_out`], painted with
//! egui's text and meshes, and read aloud.
//!
//! The layout is a list of glyphs, rules and outlines in em. [`Formula`] converts it once
//! to what egui can paint. This takes tens of microseconds, so formulas are cached from
//! frame to frame. Glyphs are in the fonts that `theme::fonts` registers under the names
//! that `RaTeX` uses.

mod formula;

use std::sync::Arc;

use bindpose_lesson::LayoutError;
use eframe::egui::{
    self, Color32, FontId, Pos2, Response, Role, Sense, Ui, WidgetInfo, cache::FrameCache, vec2,
};

use crate::theme::{BODY_SIZE, SMALL_SIZE, Theme};
use crate::touch;
use crate::widgets::panel;

pub use bindpose_lesson::{FormulaSetting as Setting, SymbolBox};
pub use formula::Formula;

/// Type size of a display formula, in points per em.
const DISPLAY_EM: f32 = BODY_SIZE * 1.3;
/// Minimum scale of a display formula in a narrow column before it scrolls instead.
/// Indices are still legible.
const MIN_SCALE: f32 = 0.66;
/// Size of inline mathematics relative to the surrounding text. The mathematics fonts
/// have a smaller x-height.
pub const INLINE_SCALE: f32 = 1.12;

#[derive(Default)]
struct FormulaComputer;

type CachedFormula = Result<Arc<Formula>, Arc<LayoutError>>;

impl egui::cache::ComputerMut<(&str, Setting), CachedFormula> for FormulaComputer {
    fn compute(&mut self, key: (&str, Setting)) -> CachedFormula {
        Formula::new(key.0, key.1).map(Arc::new).map_err(Arc::from)
    }
}

/// Returns the formula for this TeX, which is laid out at most once while it is on the
/// page.
///
/// Returns an error if the TeX is invalid, or if the layout engine is not loaded.
pub fn cached_formula(ctx: &egui::Context, tex: &str, setting: Setting) -> CachedFormula {
    ctx.memory_mut(|memory| {
        memory
            .caches
            .cache::<FrameCache<CachedFormula, FormulaComputer>>()
            .get((tex, setting))
            .clone()
    })
}

/// Draws a display formula in a panel as wide as the column. It shrinks a little if it is
/// too wide, and scrolls if that is not enough. Invalid TeX is shown as it is, with the
/// error.
///
/// `before_paint` is called before the formula is painted, with the left end of its baseline
/// and the points per em.
pub fn display_ui(
    ui: &mut Ui,
    tex: &str,
    theme: &Theme,
    before_paint: &mut BeforePaint<'_>,
) -> Response {
    panel(ui, theme, |ui| match cached_formula(ui.ctx(), tex, Setting::Display) {
        Ok(formula) => centered_ui(ui, &formula, tex, theme.ink, before_paint),
        Err(error) => error_ui(ui, tex, &error, theme),
    })
    .inner
}

/// Called before a formula is painted.
pub type BeforePaint<'b> = dyn FnMut(&mut Ui, &Formula, Pos2, f32) + 'b;

fn centered_ui(
    ui: &mut Ui,
    formula: &Formula,
    tex: &str,
    ink: Color32,
    before_paint: &mut BeforePaint<'_>,
) -> Response {
    let available_width = ui.available_width();
    let natural_width = formula.width * DISPLAY_EM;
    let em = DISPLAY_EM * (available_width / natural_width.max(1.0)).clamp(MIN_SCALE, 1.0);
    if formula.width * em <= available_width + 0.5 {
        return ui
            .vertical_centered(|ui| formula_ui(ui, formula, tex, em, ink, before_paint))
            .inner;
    }
    let scrolled = egui::ScrollArea::horizontal()
        .id_salt(tex)
        .auto_shrink([false, true])
        .show(ui, |ui| formula_ui(ui, formula, tex, em, ink, before_paint));
    touch::scroll_page_from(ui, scrolled.id);
    scrolled.inner
}

/// Adds a formula as a widget of its own size, with its text for screen readers.
fn formula_ui(
    ui: &mut Ui,
    formula: &Formula,
    tex: &str,
    em: f32,
    ink: Color32,
    before_paint: &mut BeforePaint<'_>,
) -> Response {
    let size = vec2(formula.width, formula.height + formula.depth) * em;
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, spoken_formula(tex)));
    if ui.is_rect_visible(rect) {
        let baseline = Pos2::new(rect.left(), rect.top() + formula.height * em);
        before_paint(ui, formula, baseline, em);
        formula.paint(ui.painter(), baseline, em, ink);
    }
    response
}

fn error_ui(ui: &mut Ui, tex: &str, error: &LayoutError, theme: &Theme) -> Response {
    let mut job = egui::text::LayoutJob::default();
    job.wrap.max_width = ui.available_width().max(40.0);
    let ink = egui::TextFormat::simple(FontId::monospace(SMALL_SIZE), theme.ink);
    match error {
        LayoutError::Wrong(message) => {
            let wrong = egui::TextFormat { color: theme.wrong, ..ink.clone() };
            let quiet = egui::TextFormat { color: theme.quiet, ..ink };
            job.append(tex, 0.0, wrong.clone());
            job.append("\n", 0.0, wrong);
            job.append(message, 0.0, quiet);
        }
        LayoutError::Unknown => job.append(tex, 0.0, ink),
    }
    ui.label(job)
}

// TeX as plain text for screen readers. The result is readable, not perfect.

/// Converts TeX to plain text: `\frac{a}{b}` becomes "a over b". Commands that only
/// affect the layout are omitted.
pub fn spoken_formula(tex: &str) -> String {
    let mut reader = FormulaSpeaker { rest: tex, depth: 0 };
    let text = reader.read_until(None);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct FormulaSpeaker<'a> {
    rest: &'a str,
    depth: usize,
}

/// Commands with a spoken form. Other commands are read by name, unless they only affect
/// the layout.
const SPOKEN_COMMANDS: [(&str, &str); 16] = [
    ("cdot", "times"),
    ("times", "times"),
    ("leftarrow", "from"),
    ("gets", "from"),
    ("rightarrow", "to"),
    ("to", "to"),
    ("ne", "is not"),
    ("neq", "is not"),
    ("le", "at most"),
    ("ge", "at least"),
    ("approx", "about"),
    ("ldots", "and so on"),
    ("cdots", "and so on"),
    ("dots", "and so on"),
    ("prime", "prime"),
    ("pm", "plus or minus"),
];

/// Commands that only affect the layout, separated by spaces.
const SILENT_COMMANDS: &str = "left right mathbf mathrm mathit mathcal mathbb text textbf textit operatorname \
    displaystyle textstyle quad qquad big Big bigl bigr boldsymbol limits";

impl FormulaSpeaker<'_> {
    /// Reads up to and including `end`, or to the end of the text.
    fn read_until(&mut self, end: Option<char>) -> String {
        let mut out = String::new();
        while let Some(c) = self.rest.chars().next() {
            if Some(c) == end {
                self.advance(c);
                break;
            }
            self.read_item(&mut out);
        }
        out
    }

    fn advance(&mut self, c: char) {
        self.rest = &self.rest[c.len_utf8()..];
    }

    /// Reads a group, a command or a character.
    fn read_item(&mut self, out: &mut String) {
        let Some(c) = self.rest.chars().next() else {
            return;
        };
        self.advance(c);
        match c {
            '{' if self.depth < 64 => {
                self.depth += 1;
                let inside = self.read_until(Some('}'));
                self.depth -= 1;
                out.push_str(&inside);
            }
            '\\' if self.depth < 64 => {
                self.depth += 1;
                self.read_command(out);
                self.depth -= 1;
            }
            '_' => out.push_str(" sub "),
            '^' => out.push_str(" to the "),
            '&' => out.push_str(", "),
            '\'' => out.push_str(" prime "),
            '-' | '−' => out.push_str(" minus "),
            '+' => out.push_str(" plus "),
            '=' => out.push_str(" equals "),
            '~' | '{' | '}' | '\\' => out.push(' '),
            c => out.push(c),
        }
    }

    fn read_command(&mut self, out: &mut String) {
        let length = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        if length == 0 {
            // `\,` `\;` are space, `\\` ends a row.
            let Some(c) = self.rest.chars().next() else {
                return;
            };
            self.advance(c);
            out.push_str(if c == '\\' { "; " } else { " " });
            return;
        }
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        out.push(' ');
        match name {
            "frac" | "tfrac" | "dfrac" => {
                self.read_argument(out);
                out.push_str(" over ");
                self.read_argument(out);
            }
            "sqrt" => {
                out.push_str("square root of ");
                self.read_argument(out);
            }
            "begin" | "end" | "color" => self.read_argument(&mut String::new()),
            "textcolor" => {
                self.read_argument(&mut String::new());
                self.read_argument(out);
            }
            _ if SILENT_COMMANDS.split(' ').any(|silent| silent == name) => {}
            _ => {
                let spoken = SPOKEN_COMMANDS.iter().find(|(command, _)| *command == name);
                out.push_str(spoken.map_or(name, |(_, spoken)| spoken));
            }
        }
        out.push(' ');
    }

    fn read_argument(&mut self, out: &mut String) {
        self.rest = self.rest.trim_start();
        self.read_item(out);
    }
}

/// A painter that draws nothing, for measuring in tests.
#[cfg(test)]
fn invisible_painter(ctx: &egui::Context) -> egui::Painter {
    egui::Painter::new(ctx.clone(), egui::LayerId::background(), egui::Rect::EVERYTHING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme;

    const FORMULAS: [&str; 6] = [
        r"\mathbf{v}' = \left( \sum_{i=1}^{n} w_i\, G_i B_i^{-1} \right) \mathbf{v}",
        r"\begin{bmatrix} \cos\theta & -\sin\theta & t_x \\ \sin\theta & \cos\theta & t_y \\ 0 & 0 & 1 \end{bmatrix}",
        r"\frac{\sqrt{1-\cos^2\theta}}{2}",
        r"\underbrace{G_j}_{\text{joint}}",
        r"\textcolor{red}{w_0} M_0\, p + \color{blue} w_1",
        r"\mathcal{L} \ne \mathbb{R}",
    ];

    #[test]
    fn every_formula_paints_with_the_registered_fonts() {
        let ctx = egui::Context::default();
        ctx.set_fonts(theme::fonts());
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            for tex in FORMULAS {
                let formula = cached_formula(ui.ctx(), tex, Setting::Display).expect(tex);
                assert!(formula.width > 0.5 && formula.height > 0.3, "{tex}");
                formula.paint(&invisible_painter(ui.ctx()), Pos2::ZERO, 20.0, Color32::BLACK);
            }
        });
        output.textures_delta.clear();
    }

    #[test]
    fn inline_sums_are_lower_than_displayed_ones() {
        let sum = r"\sum_{i=1}^n w_i";
        let display = Formula::new(sum, Setting::Display).unwrap();
        let inline = Formula::new(sum, Setting::Inline).unwrap();
        assert!(inline.height + inline.depth < display.height + display.depth);
    }

    #[test]
    fn invalid_tex_is_an_error() {
        assert!(Formula::new(r"\frac{1", Setting::Inline).is_err());
    }

    #[test]
    fn formulas_read_aloud() {
        assert_eq!(
            spoken_formula(r"\frac{w_0}{\sqrt{2}} = -1"),
            "w sub 0 over square root of 2 equals minus 1"
        );
        assert_eq!(
            spoken_formula(r"\mathbf{v}' = \sum_i w_i\, M_i \cdot p"),
            "v prime equals sum sub i w sub i M sub i times p"
        );
        assert_eq!(
            spoken_formula(r"\text{world} \leftarrow \textcolor{red}{joint}"),
            "world from joint"
        );
    }

    #[test]
    fn invalid_tex_is_read_without_panic() {
        for tex in
            ["{", "}", "\\", "\\frac", "\\frac{1", "^", &"{".repeat(1000), &"\\frac".repeat(9999)]
        {
            let _ = spoken_formula(tex);
        }
        assert_eq!(spoken_formula("a}b"), "a b");
    }
}
