//! The frame of a `.glb`: its header and its chunks.

use bindpose_asset::Glb;
use bindpose_notebook::number_text::grouped;
use eframe::egui::{
    FontId, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use crate::PageContext;
use crate::theme::CAPTION;
use crate::widgets::PaintText;

const HEIGHT: f32 = 40.0;

/// Header and chunks side by side; narrow ones keep room for their words.
pub(super) fn ui(ui: &mut Ui, page: &PageContext<'_>, glb: &Glb) {
    let bytes = |count: usize| grouped(u32::try_from(count).unwrap_or(u32::MAX));
    let mut parts = vec![(
        "header, 12 bytes".to_owned(),
        format!("glTF, {}, {}", glb.version.unwrap_or(0), grouped(glb.length.unwrap_or(0))),
    )];
    for chunk in &glb.chunks {
        let kind: String = chunk
            .kind
            .iter()
            .filter(|byte| byte.is_ascii_graphic())
            .map(|&byte| char::from(byte))
            .collect();
        parts.push((
            format!("chunk {kind}, from {}", bytes(chunk.start)),
            format!("{} bytes", bytes(chunk.length)),
        ));
    }
    let width = ui.available_width();
    let widest = parts
        .iter()
        .flat_map(|(what, numbers)| {
            let fonts = [FontId::proportional(CAPTION), FontId::monospace(CAPTION)];
            [what, numbers].into_iter().zip(fonts)
        })
        .map(|(text, font)| {
            let line = ui.painter().layout_no_wrap(text.clone(), font, page.theme.ink);
            line.size().x + 18.0
        })
        .fold(0.0, f32::max);
    let beside = width >= widest * parts.len() as f32;
    let columns = if beside { parts.len() } else { 1 };
    let each = width / columns as f32;
    let height = HEIGHT * parts.len().div_ceil(columns) as f32;
    let (area, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    for (index, (what, numbers)) in parts.iter().enumerate() {
        let min =
            area.min + vec2(each * (index % columns) as f32, HEIGHT * (index / columns) as f32);
        let rect = Rect::from_min_size(min, vec2(each, HEIGHT)).shrink(1.0);
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, 4.0, page.theme.panel);
        let stroke = Stroke::new(1.0, page.theme.rule);
        painter.rect_stroke(rect, 4.0, stroke, StrokeKind::Inside);
        let at = |y: f32| pos2(rect.left() + 8.0, rect.top() + y);
        let [plain, mono] = [FontId::proportional(CAPTION), FontId::monospace(CAPTION)];
        painter.text_left(at(11.0), what, plain, page.theme.quiet);
        painter.text_left(at(27.0), numbers, mono, page.theme.ink);
    }
    response.widget_info(|| {
        let words: Vec<String> = parts.iter().map(|(a, b)| format!("{a}: {b}")).collect();
        WidgetInfo::labeled(Role::Label, true, words.join("; "))
    });
}
