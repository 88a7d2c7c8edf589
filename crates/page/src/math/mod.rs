//! Mathematics: TeX that is laid out (`lesson::laid_out`), painted with egui's text
//! and meshes.
//!
//! The layout is a list of glyphs, rules and outlines in em, which [`Formula`]
//! turns once into what egui can paint; that costs tens of microseconds, so
//! formulas are kept from frame to frame. Glyphs come from the faces that
//! `theme::fonts` registers under the names `RaTeX` uses.

mod formula;
mod spoken;

use std::sync::Arc;

use bindpose_lesson::Unset;
use eframe::egui::{
    self, Color32, FontId, Pos2, Response, Role, Sense, Ui, WidgetInfo, cache::FrameCache, vec2,
};

use super::theme::{BODY, SMALL, Theme};
use crate::touch;
use crate::widgets::panel;

pub use bindpose_lesson::{FormulaSetting as Setting, SymbolPlace};
pub use formula::Formula;
pub use spoken::spoken;

/// Type size of a display formula, in points per em.
pub const DISPLAY_EM: f32 = BODY * 1.3;
/// A display formula in a narrow column shrinks so far before it scrolls: indices
/// are legible still.
const LEAST_SCALE: f32 = 0.66;
/// Points per em of inline mathematics over the size of the text around it:
/// the mathematics faces have a smaller x-height.
pub const INLINE_SCALE: f32 = 1.12;

#[derive(Default)]
struct Engine;

type Laid = Result<Arc<Formula>, Arc<Unset>>;

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

fn broken(ui: &mut Ui, tex: &str, unset: &Unset, theme: &Theme) -> Response {
    let mut job = egui::text::LayoutJob::default();
    job.wrap.max_width = ui.available_width().max(40.0);
    let face = |color| egui::TextFormat::simple(FontId::monospace(SMALL), color);
    match unset {
        Unset::Wrong(message) => {
            job.append(tex, 0.0, face(theme.wrong));
            job.append("\n", 0.0, face(theme.wrong));
            job.append(message, 0.0, face(theme.quiet));
        }
        Unset::Unknown => job.append(tex, 0.0, face(theme.ink)),
    }
    ui.label(job)
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
}
