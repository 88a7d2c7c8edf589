//! Mathematics: TeX that is laid out (`lesson::laid_out`), painted with egui's text
//! and meshes, and said in words.
//!
//! The layout is a list of glyphs, rules and outlines in em, which [`Formula`]
//! turns once into what egui can paint; that costs tens of microseconds, so
//! formulas are kept from frame to frame. Glyphs come from the faces that
//! `theme::fonts` registers under the names `RaTeX` uses.

mod formula;

use std::sync::Arc;

use bindpose_lesson::LayoutError;
use eframe::egui::{
    self, Color32, FontId, Pos2, Response, Role, Sense, Ui, WidgetInfo, cache::FrameCache, vec2,
};

use super::theme::{BODY, SMALL, Theme};
use crate::touch;
use crate::widgets::panel;

pub use bindpose_lesson::{FormulaSetting as Setting, SymbolBox};
pub use formula::Formula;

/// Type size of a display formula, in points per em.
const DISPLAY_EM: f32 = BODY * 1.3;
/// A display formula in a narrow column shrinks so far before it scrolls: indices
/// are legible still.
const LEAST_SCALE: f32 = 0.66;
/// Points per em of inline mathematics over the size of the text around it:
/// the mathematics faces have a smaller x-height.
pub const INLINE_SCALE: f32 = 1.12;

#[derive(Default)]
struct Engine;

type Laid = Result<Arc<Formula>, Arc<LayoutError>>;

impl egui::cache::ComputerMut<(&str, Setting), Laid> for Engine {
    fn compute(&mut self, (tex, setting): (&str, Setting)) -> Laid {
        Formula::new(tex, setting).map(Arc::new).map_err(Arc::from)
    }
}

/// The formula for this TeX, laid out at most once while it is on the page.
///
/// Fails when the TeX can't be read, or is not known where there is no engine.
pub fn formula(ctx: &egui::Context, tex: &str, setting: Setting) -> Laid {
    ctx.memory_mut(|memory| {
        memory.caches.cache::<FrameCache<Laid, Engine>>().get((tex, setting)).clone()
    })
}

/// A display formula in a panel as wide as the column: shrunk a little when it
/// is too wide, scrolled when that is not enough. TeX that can't be read is
/// shown as it is, with what is wrong.
///
/// `before` gets the formula with the left end of its baseline and the points to
/// its em before it is painted.
pub fn display_ui(ui: &mut Ui, tex: &str, theme: &Theme, before: &mut Before<'_>) -> Response {
    panel(ui, theme, |ui| match formula(ui.ctx(), tex, Setting::Display) {
        Ok(formula) => centred(ui, &formula, tex, theme.ink, before),
        Err(unset) => broken(ui, tex, &unset, theme),
    })
    .inner
}

/// What is done with a formula before it is painted.
pub type Before<'b> = dyn FnMut(&mut Ui, &Formula, Pos2, f32) + 'b;

fn centred(
    ui: &mut Ui,
    formula: &Formula,
    tex: &str,
    ink: Color32,
    before: &mut Before<'_>,
) -> Response {
    let room = ui.available_width();
    let natural = formula.width * DISPLAY_EM;
    let em = DISPLAY_EM * (room / natural.max(1.0)).clamp(LEAST_SCALE, 1.0);
    if formula.width * em <= room + 0.5 {
        return ui.vertical_centered(|ui| formula_ui(ui, formula, tex, em, ink, before)).inner;
    }
    let shown = egui::ScrollArea::horizontal()
        .id_salt(tex)
        .auto_shrink([false, true])
        .show(ui, |ui| formula_ui(ui, formula, tex, em, ink, before));
    touch::pass_on(ui, shown.id);
    shown.inner
}

/// One formula as a widget of its own size, named in words.
fn formula_ui(
    ui: &mut Ui,
    formula: &Formula,
    tex: &str,
    em: f32,
    ink: Color32,
    before: &mut Before<'_>,
) -> Response {
    let size = vec2(formula.width, formula.height + formula.depth) * em;
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, spoken(tex)));
    if ui.is_rect_visible(rect) {
        let baseline = Pos2::new(rect.left(), rect.top() + formula.height * em);
        before(ui, formula, baseline, em);
        formula.paint(ui.painter(), baseline, em, ink);
    }
    response
}

fn broken(ui: &mut Ui, tex: &str, unset: &LayoutError, theme: &Theme) -> Response {
    let mut job = egui::text::LayoutJob::default();
    job.wrap.max_width = ui.available_width().max(40.0);
    let face = |color| egui::TextFormat::simple(FontId::monospace(SMALL), color);
    match unset {
        LayoutError::Wrong(message) => {
            job.append(tex, 0.0, face(theme.wrong));
            job.append("\n", 0.0, face(theme.wrong));
            job.append(message, 0.0, face(theme.quiet));
        }
        LayoutError::Unknown => job.append(tex, 0.0, face(theme.ink)),
    }
    ui.label(job)
}

// TeX in words, for screen readers: plain, not perfect.

/// `\frac{a}{b}` becomes "a over b"; what has no words is left out.
pub fn spoken(tex: &str) -> String {
    let mut reader = FormulaSpeaker { rest: tex, depth: 0 };
    let words = reader.words(None);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct FormulaSpeaker<'a> {
    rest: &'a str,
    depth: usize,
}

/// Commands with words; any other command that is not layout is read by name.
const WORDS: [(&str, &str); 16] = [
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

/// Commands that say how, not what, with a space between them.
const SILENT: &str = "left right mathbf mathrm mathit mathcal mathbb text textbf textit operatorname \
    displaystyle textstyle quad qquad big Big bigl bigr boldsymbol limits";

impl FormulaSpeaker<'_> {
    /// Words up to `end`, or to the end of the text.
    fn words(&mut self, end: Option<char>) -> String {
        let mut out = String::new();
        while let Some(c) = self.rest.chars().next() {
            if Some(c) == end {
                self.bump(c);
                break;
            }
            self.one(&mut out);
        }
        out
    }

    fn bump(&mut self, c: char) {
        self.rest = &self.rest[c.len_utf8()..];
    }

    /// The next thing: a group, a command or a character.
    fn one(&mut self, out: &mut String) {
        let Some(c) = self.rest.chars().next() else {
            return;
        };
        self.bump(c);
        match c {
            '{' if self.depth < 64 => {
                self.depth += 1;
                let inside = self.words(Some('}'));
                self.depth -= 1;
                out.push_str(&inside);
            }
            '\\' if self.depth < 64 => {
                self.depth += 1;
                self.command(out);
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

    fn command(&mut self, out: &mut String) {
        let length = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        if length == 0 {
            // `\,` `\;` are space, `\\` ends a row.
            let Some(c) = self.rest.chars().next() else {
                return;
            };
            self.bump(c);
            out.push_str(if c == '\\' { "; " } else { " " });
            return;
        }
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        out.push(' ');
        match name {
            "frac" | "tfrac" | "dfrac" => {
                self.argument(out);
                out.push_str(" over ");
                self.argument(out);
            }
            "sqrt" => {
                out.push_str("square root of ");
                self.argument(out);
            }
            "begin" | "end" | "color" => self.argument(&mut String::new()),
            "textcolor" => {
                self.argument(&mut String::new());
                self.argument(out);
            }
            _ if SILENT.split(' ').any(|silent| silent == name) => {}
            _ => {
                let words = WORDS.iter().find(|(command, _)| *command == name);
                out.push_str(words.map_or(name, |(_, words)| words));
            }
        }
        out.push(' ');
    }

    fn argument(&mut self, out: &mut String) {
        self.rest = self.rest.trim_start();
        self.one(out);
    }
}

/// A painter on the same layer that draws nothing: for measuring in tests.
#[cfg(test)]
fn nowhere(ctx: &egui::Context) -> egui::Painter {
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
    fn every_formula_paints_with_the_faces_we_have() {
        let ctx = egui::Context::default();
        ctx.set_fonts(theme::fonts());
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            for tex in FORMULAS {
                let formula = formula(ui.ctx(), tex, Setting::Display).expect(tex);
                assert!(formula.width > 0.5 && formula.height > 0.3, "{tex}");
                formula.paint(&nowhere(ui.ctx()), Pos2::ZERO, 20.0, Color32::BLACK);
            }
        });
        output.textures_delta.clear();
    }

    #[test]
    fn inline_sums_are_lower_than_displayed_ones() {
        let of = |setting| Formula::new(r"\sum_{i=1}^n w_i", setting).unwrap();
        let (display, inline) = (of(Setting::Display), of(Setting::Inline));
        assert!(inline.height + inline.depth < display.height + display.depth);
    }

    #[test]
    fn broken_tex_says_what_is_wrong() {
        assert!(Formula::new(r"\frac{1", Setting::Inline).is_err());
    }

    #[test]
    fn formulas_read_aloud() {
        assert_eq!(
            spoken(r"\frac{w_0}{\sqrt{2}} = -1"),
            "w sub 0 over square root of 2 equals minus 1"
        );
        assert_eq!(
            spoken(r"\mathbf{v}' = \sum_i w_i\, M_i \cdot p"),
            "v prime equals sum sub i w sub i M sub i times p"
        );
        assert_eq!(spoken(r"\text{world} \leftarrow \textcolor{red}{joint}"), "world from joint");
    }

    #[test]
    fn broken_tex_is_read_too() {
        for tex in
            ["{", "}", "\\", "\\frac", "\\frac{1", "^", &"{".repeat(1000), &"\\frac".repeat(9999)]
        {
            let _ = spoken(tex);
        }
        assert_eq!(spoken("a}b"), "a b");
    }
}
