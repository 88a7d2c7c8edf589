//! The header and the chunks of a `.glb` file.

use bindpose_gltf::Glb;
use bindpose_kit::theme::CAPTION_SIZE;
use bindpose_kit::widgets::PaintText;
use bindpose_lesson::number_text::grouped;
use eframe::egui::{
    FontId, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use crate::PageContext;

const PART_HEIGHT_PTS: f32 = 40.0;

/// The header or a chunk.
struct FilePart {
    title: String,
    numbers: String,
}

/// Draws the header and the chunks side by side, or below each other if there is no room.
pub(super) fn glb_chunks_ui(ui: &mut Ui, page: &PageContext<'_>, glb: &Glb) {
    let parts = file_parts(glb);
    let mut max_part_width = 0.0_f32;
    for part in &parts {
        for (text, font) in [
            (&part.title, FontId::proportional(CAPTION_SIZE)),
            (&part.numbers, FontId::monospace(CAPTION_SIZE)),
        ] {
            let galley = ui.painter().layout_no_wrap(text.clone(), font, page.theme.ink);
            max_part_width = max_part_width.max(galley.size().x + 18.0);
        }
    }
    let width = ui.available_width();
    let is_side_by_side = width >= max_part_width * parts.len() as f32;
    let column_count = if is_side_by_side { parts.len() } else { 1 };
    let column_width = width / column_count as f32;
    let height = PART_HEIGHT_PTS * parts.len().div_ceil(column_count) as f32;
    let (area, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    for (index, part) in parts.iter().enumerate() {
        let column = index % column_count;
        let row = index / column_count;
        let min = area.min + vec2(column_width * column as f32, PART_HEIGHT_PTS * row as f32);
        let rect = Rect::from_min_size(min, vec2(column_width, PART_HEIGHT_PTS)).shrink(1.0);
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, 4.0, page.theme.panel);
        let stroke = Stroke::new(1.0, page.theme.rule);
        painter.rect_stroke(rect, 4.0, stroke, StrokeKind::Inside);
        let left = rect.left() + 8.0;
        let title_font = FontId::proportional(CAPTION_SIZE);
        let title_left = pos2(left, rect.top() + 11.0);
        painter.text_left(title_left, &part.title, title_font, page.theme.quiet);
        let number_font = FontId::monospace(CAPTION_SIZE);
        let numbers_left = pos2(left, rect.top() + 27.0);
        painter.text_left(numbers_left, &part.numbers, number_font, page.theme.ink);
    }
    response.widget_info(|| {
        let labels: Vec<String> =
            parts.iter().map(|part| format!("{}: {}", part.title, part.numbers)).collect();
        WidgetInfo::labeled(Role::Label, true, labels.join("; "))
    });
}

fn file_parts(glb: &Glb) -> Vec<FilePart> {
    let version = glb.version.unwrap_or(0);
    let length = grouped(glb.length.unwrap_or(0));
    let mut parts = vec![FilePart {
        title: "header, 12 bytes".to_owned(),
        numbers: format!("glTF, {version}, {length}"),
    }];
    for chunk in &glb.chunks {
        let kind: String = chunk
            .kind
            .iter()
            .filter(|byte| byte.is_ascii_graphic())
            .map(|&byte| char::from(byte))
            .collect();
        parts.push(FilePart {
            title: format!("chunk {kind}, from {}", grouped_bytes(chunk.start)),
            numbers: format!("{} bytes", grouped_bytes(chunk.length)),
        });
    }
    parts
}

fn grouped_bytes(count: usize) -> String {
    grouped(u32::try_from(count).unwrap_or(u32::MAX))
}
