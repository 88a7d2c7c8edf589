//! The sixteen numbers of a matrix in memory order, each with its index below it. A number under
//! the pointer is highlighted in the grid, and the other way round.

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, family};
use bindpose_kit::touch;
use bindpose_kit::widgets::{PaintText, highlight_shape};
use bindpose_lesson::number_text::fixed;
use bindpose_notebook::Entity;
use bindpose_notebook::matrix::{MatrixOwner, OperatorBlock};
use bindpose_skin::Conventions;
use eframe::egui::accesskit::Role;
use eframe::egui::{Color32, FontId, Rect, Sense, Ui, WidgetInfo, vec2};

use crate::PageContext;

const NUMBER_HEIGHT_PTS: f32 = 22.0;
const INDEX_HEIGHT_PTS: f32 = 15.0;
/// Minimum width of a number at which it is legible.
const MIN_WIDTH_PTS: f32 = 44.0;
const MAX_WIDTH_PTS: f32 = 64.0;
/// Padding on each side of a number.
const PAD_PTS: f32 = 4.0;

/// Draws a strip for each matrix. `blocks` are in the axes of the page already.
pub(super) fn memory_strip_ui(
    ui: &mut Ui,
    blocks: &[OperatorBlock],
    conventions: Conventions,
    page: &mut PageContext<'_>,
) {
    for block in blocks {
        let order = conventions.memory.label();
        let caption = format!("{} in memory, {order}:", block.source.name());
        ui.label(page.theme.caption(caption));
        draw_strip(ui, block, conventions, page);
    }
}

fn draw_strip(
    ui: &mut Ui,
    block: &OperatorBlock,
    conventions: Conventions,
    page: &mut PageContext<'_>,
) {
    let theme = page.theme;
    let available_width = ui.available_width();
    let decimals = block.magnitude.decimals(2);
    let texts: [String; 16] = std::array::from_fn(|index| {
        let (row, column) = conventions.row_and_column(index);
        let number = f64::from(block.source.named.mat.col(column)[row]);
        fixed(number, decimals[column])
    });
    let max_chars = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let strong_mono = FontId::new(CAPTION_SIZE, family::mono(true));
    let digit_width = ui.fonts_mut(|fonts| fonts.glyph_width(&strong_mono, '0'));
    let min_width = MIN_WIDTH_PTS.max(max_chars as f32 * digit_width + 2.0 * PAD_PTS);
    let numbers_per_line = [16, 8, 4, 2]
        .into_iter()
        .find(|&count| available_width / count as f32 >= min_width)
        .unwrap_or(1);
    let width = (available_width / numbers_per_line as f32).min(MAX_WIDTH_PTS.max(min_width));
    let line_height = NUMBER_HEIGHT_PTS + INDEX_HEIGHT_PTS;
    let line_count = 16 / numbers_per_line;
    let size = vec2(width * numbers_per_line as f32, line_height * line_count as f32);
    let (strip, _) = ui.allocate_exact_size(size, Sense::hover());
    for (index, text) in texts.into_iter().enumerate() {
        let (row, column) = conventions.row_and_column(index);
        let corner = vec2(
            width * (index % numbers_per_line) as f32,
            line_height * (index / numbers_per_line) as f32,
        );
        let rect = Rect::from_min_size(strip.min + corner, vec2(width, NUMBER_HEIGHT_PTS));
        let id = ui.scope_id().with(("in memory", &block.source.title, index));
        let response = ui.interact(rect, id, Sense::hover());
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Label, true, format!("place {index} in memory: {text}"))
        });
        if touch::is_pointed_at(&response)
            && let MatrixOwner::Joint(joint) = block.source.owner
        {
            page.linked.hover(Entity::Cell(joint, column, row));
        }
        ui.painter().rect_filled(rect, 0.0, theme.column_background(column));
        let is_lit = match (block.source.owner, page.linked.hovered()) {
            (MatrixOwner::Joint(owner), Some(Entity::Cell(joint, hovered_column, hovered_row))) => {
                (joint, hovered_column, hovered_row) == (owner, column, row)
            }
            (MatrixOwner::Joint(owner), Some(Entity::Column(joint, hovered_column))) => {
                (joint, hovered_column) == (owner, column)
            }
            _ => false,
        };
        if is_lit {
            ui.painter().add(highlight_shape(theme, rect, 2.0));
        }
        let is_translation = column == 3 && row < 3;
        let font = FontId::new(CAPTION_SIZE, family::mono(is_translation));
        ui.painter().text_centered(rect.center(), text, font, theme.ink);
        let below = rect.center_bottom() + vec2(0.0, INDEX_HEIGHT_PTS / 2.0);
        let color: Color32 = if is_translation { theme.ink } else { theme.quiet };
        ui.painter().text_centered(below, index, FontId::proportional(FINE_SIZE), color);
    }
}
