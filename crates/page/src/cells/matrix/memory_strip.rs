//! The sixteen numbers of a matrix as they lie in memory, each under its place; what is
//! pointed at there is lit in the grid, and the other way round.

use bindpose_notebook::Entity;
use bindpose_notebook::matrix::{MatrixOwner, OperatorBlock};
use bindpose_notebook::number_text::fixed;
use bindpose_skin::Conventions;
use eframe::egui::accesskit::Role;
use eframe::egui::{Color32, FontId, Rect, Sense, Ui, WidgetInfo, vec2};

use crate::PageContext;
use crate::theme::{CAPTION, FINE, family};
use crate::touch;
use crate::widgets::{PaintText, lit_shape};

/// Of a number.
const HEIGHT: f32 = 22.0;
/// Of the place under it.
const PLACE: f32 = 15.0;
/// Narrower ones could not be read.
const LEAST: f32 = 44.0;
const WIDEST: f32 = 64.0;
/// Before and behind a number.
const PAD: f32 = 4.0;

/// A strip for each matrix; `blocks` have the axes of the paper already.
pub(super) fn ui(
    ui: &mut Ui,
    blocks: &[OperatorBlock],
    conventions: Conventions,
    page: &mut PageContext<'_>,
) {
    for block in blocks {
        let order = conventions.memory.label();
        let words = format!("{} in memory, {order}:", block.source.name());
        ui.label(page.theme.caption(words));
        strip(ui, block, conventions, page);
    }
}

fn strip(ui: &mut Ui, block: &OperatorBlock, conventions: Conventions, page: &mut PageContext<'_>) {
    let room = ui.available_width();
    let decimals = block.magnitude.decimals(2);
    let texts: [String; 16] = std::array::from_fn(|at| {
        let (row, column) = conventions.row_and_column(at);
        let number = f64::from(block.source.named.mat.col(column)[row]);
        fixed(number, decimals[column])
    });
    let longest = texts.iter().map(|text| text.chars().count()).max();
    let font = FontId::new(CAPTION, family::mono(true));
    let glyph = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    let least = LEAST.max(longest.unwrap_or(0) as f32 * glyph + 2.0 * PAD);
    let in_line =
        [16, 8, 4, 2].into_iter().find(|&count| room / count as f32 >= least).unwrap_or(1);
    let width = (room / in_line as f32).min(WIDEST.max(least));
    let lines = 16 / in_line;
    let size = vec2(width * in_line as f32, (HEIGHT + PLACE) * lines as f32);
    let (all, _) = ui.allocate_exact_size(size, Sense::hover());
    for (at, text) in texts.into_iter().enumerate() {
        let (row, column) = conventions.row_and_column(at);
        let corner = vec2(width * (at % in_line) as f32, (HEIGHT + PLACE) * (at / in_line) as f32);
        let rect = Rect::from_min_size(all.min + corner, vec2(width, HEIGHT));
        let response = ui.interact(
            rect,
            ui.scope_id().with(("in memory", &block.source.title, at)),
            Sense::hover(),
        );
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Label, true, format!("place {at} in memory: {text}"))
        });
        if touch::is_pointed_at(&response)
            && let MatrixOwner::Joint(joint) = block.source.owner
        {
            page.linked.hover(Entity::Cell(joint, column, row));
        }
        let theme = page.theme;
        ui.painter().rect_filled(rect, 0.0, theme.column(column));
        let is_lit = match (block.source.owner, page.linked.hovered()) {
            (MatrixOwner::Joint(joint), Some(Entity::Cell(of, c, r))) => {
                (of, c, r) == (joint, column, row)
            }
            (MatrixOwner::Joint(joint), Some(Entity::Column(of, c))) => (of, c) == (joint, column),
            _ => false,
        };
        if is_lit {
            ui.painter().add(lit_shape(theme, rect, 2.0));
        }
        let is_place = column == 3 && row < 3;
        let font = FontId::new(CAPTION, family::mono(is_place));
        ui.painter().text_centered(rect.center(), text, font, theme.ink);
        let below = rect.center_bottom() + vec2(0.0, PLACE / 2.0);
        let color: Color32 = if is_place { theme.ink } else { theme.quiet };
        ui.painter().text_centered(below, at, FontId::proportional(FINE), color);
    }
}
