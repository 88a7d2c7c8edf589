//! A picture from the lesson's folder, with its caption below it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bindpose_gltf::{Image, Task};
use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE};
use bindpose_kit::typeset::Face;
use bindpose_kit::widgets::{Emphasis, paragraph_ui};
use bindpose_lesson::{PictureCell, PictureContent, PictureFormat};
use bindpose_notebook::{EncodedPicture, encoded_picture};
use eframe::egui::{
    Align2, Color32, ColorImage, Context, FontId, Rect, Role, Sense, TextureHandle, TextureId,
    TextureOptions, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::PageContext;
use crate::prose::text_ui;
use crate::view::EnlargedCells;

/// Maximum height of a picture, as a fraction of the page's height.
const MAX_HEIGHT_FRACTION: f32 = 0.7;
/// Margin around a picture on a plate, in points.
const PLATE_MARGIN: f32 = 10.0;
/// Corner radius of plates and placeholders, in points.
const CORNER_RADIUS: f32 = 6.0;
/// Minimum height of a picture, in points.
const MIN_HEIGHT: f32 = 24.0;

/// Draws the picture in the available width. `height` is the available height of an
/// enlarged picture.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &PictureCell,
    id: &str,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let theme = page.theme;
    let file = cell.file_in(theme.is_dark);
    let Some(content) = &file.content else {
        let message = format!("The picture `{}` cannot be shown. {}", file.name, cell.alt);
        paragraph_ui(ui, theme, &message, SMALL_SIZE, Emphasis::Quiet);
        return;
    };
    let is_enlarged =
        page.view.enlarged.as_ref().is_some_and(
            |enlarged| matches!(&enlarged.cells, EnlargedCells::Cell(cell) if cell == id),
        );
    // A transparent picture without a dark version has a light plate in dark mode.
    let has_plate = theme.is_dark && content.see_through && cell.dark.is_none();
    let margin = if has_plate { PLATE_MARGIN } else { 0.0 };
    let available = AvailableSpace {
        width: (ui.available_width() - 2.0 * margin).max(1.0),
        width_fraction: if is_enlarged { Some(1.0) } else { cell.width.map(|width| width.0) },
        max_height: if is_enlarged {
            height - 2.0 * margin - caption_height(ui, cell, page)
        } else {
            ui.content_rect().height() * MAX_HEIGHT_FRACTION
        },
    };
    let size = available.fit(content.size);
    let outer_size = size + Vec2::splat(2.0 * margin);
    let (outer, response) = ui.allocate_exact_size(outer_size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &cell.alt));
    if ui.is_rect_visible(outer) {
        if has_plate {
            ui.painter().rect_filled(outer, CORNER_RADIUS, theme.plate);
        }
        let key = format!("{}/{id}", page.lesson.slug);
        paint_picture(ui, content, &key, outer.shrink(margin), page);
    }
    if let Some(caption) = &cell.caption {
        ui.add_space(2.0);
        text_ui(ui, caption, CAPTION_SIZE, Emphasis::Quiet, page);
    }
}

/// Paints the picture, a placeholder while it is decoded, or the reason of a failure.
fn paint_picture(
    ui: &Ui,
    content: &PictureContent,
    key: &str,
    rect: Rect,
    page: &mut PageContext<'_>,
) {
    let size_px = rect.size() * ui.pixels_per_point();
    let blocking = page.view.pictures.waits_for_work;
    let textures: &mut PictureTextures = page.view.cells.get("", "pictures");
    match textures.get(ui, key, content, size_px, blocking) {
        TextureState::Ready(texture) => {
            let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(texture, rect, uv, Color32::WHITE);
        }
        TextureState::Pending => {
            ui.painter().rect_filled(rect, CORNER_RADIUS, page.theme.panel);
        }
        TextureState::Failed(reason) => {
            let format = match content.format {
                PictureFormat::Png => "PNG",
                PictureFormat::Jpeg => "JPEG",
            };
            let message = format!("This {format} picture cannot be shown: {reason}");
            ui.painter().rect_filled(rect, CORNER_RADIUS, page.theme.panel);
            let galley = ui.painter().layout(
                message,
                FontId::proportional(CAPTION_SIZE),
                page.theme.wrong,
                (rect.width() - 2.0 * PLATE_MARGIN).max(20.0),
            );
            let text_rect = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
            ui.painter().with_clip_rect(rect).galley(text_rect.min, galley, page.theme.wrong);
        }
    }
}

/// Returns the height of the caption below an enlarged picture.
fn caption_height(ui: &Ui, cell: &PictureCell, page: &PageContext<'_>) -> f32 {
    let Some(caption) = &cell.caption else {
        return 0.0;
    };
    let face = Face::of_text(CAPTION_SIZE, Emphasis::Quiet, page.theme);
    let galley = ui.painter().layout(
        caption.words(),
        FontId::proportional(CAPTION_SIZE),
        page.theme.quiet,
        ui.available_width(),
    );
    galley.rows.len() as f32 * face.line + 12.0
}

/// Space for a picture, in points.
struct AvailableSpace {
    width: f32,
    /// Requested width of the picture, as a fraction of `width`. `None` for its natural
    /// size.
    width_fraction: Option<f32>,
    max_height: f32,
}

impl AvailableSpace {
    /// Returns the size of a picture of the given natural size, in points.
    fn fit(&self, natural_size: [f32; 2]) -> Vec2 {
        let [width, height] = natural_size;
        let requested_width =
            self.width_fraction.map_or(width.min(self.width), |fraction| fraction * self.width);
        let max_height = self.max_height.max(MIN_HEIGHT);
        let scale = (requested_width / width).min(max_height / height);
        vec2(width * scale, height * scale)
    }
}

#[cfg(test)]
mod tests;

// Textures of pictures. They are decoded on another thread, in the resolution of the
// screen, and kept while there is memory for them.

/// Time that a frame waits for a new texture. Small pictures are decoded within it and do
/// not flicker.
const FIRST_FRAME_TIMEOUT: Duration = Duration::from_millis(8);
/// Time that a frame waits for a texture if it must be complete.
const BLOCKING_TIMEOUT: Duration = Duration::from_mins(10);
/// Maximum number of pixels in all textures. Visible ones may exceed it.
const MAX_CACHED_PIXELS: usize = 24_000_000;

/// Cache of textures, by the cell that shows them.
#[derive(Default)]
struct PictureTextures(BTreeMap<String, PictureTexture>);

enum TextureState<'a> {
    Ready(TextureId),
    /// The picture is being decoded.
    Pending,
    /// The reason why the picture cannot be decoded.
    Failed(&'a str),
}

#[derive(Default)]
struct PictureTexture {
    decoded: Option<DecodedTexture>,
    pending: Option<PendingTexture>,
    /// Number of the frame in which it was last visible.
    last_frame: u64,
}

/// A picture decoded at a resolution.
#[derive(Clone)]
struct TextureSource {
    /// Encoded picture.
    bytes: Arc<[u8]>,
    size_px: [u32; 2],
}

struct DecodedTexture {
    source: TextureSource,
    texture: Result<TextureHandle, String>,
    /// Textures are invalid in another context, such as after a context loss.
    ctx: Context,
}

struct PendingTexture {
    source: TextureSource,
    task: Task<Result<Image, String>>,
}

impl TextureSource {
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes) && self.size_px == other.size_px
    }
}

impl PictureTextures {
    /// Returns the texture of a cell, given by `key`, for a picture that covers `size_px`
    /// pixels of the screen. Starts to decode it if necessary. `blocking` waits until it
    /// is decoded.
    fn get(
        &mut self,
        ui: &Ui,
        key: &str,
        content: &PictureContent,
        size_px: Vec2,
        blocking: bool,
    ) -> TextureState<'_> {
        let ctx = ui.ctx();
        let frame = ctx.cumulative_frame_nr();
        self.evict(frame);
        let entry = self.0.entry(key.to_owned()).or_default();
        entry.last_frame = frame;
        let encoded = encoded_picture(content);
        let max_side = ctx.input(|input| input.max_texture_side) as u32;
        let source = TextureSource {
            size_px: encoded.pixels_for(size_px.into()).map(|side| side.min(max_side)),
            bytes: encoded.bytes.clone(),
        };
        entry.update(ctx, &encoded, &source, blocking);
        match entry.decoded.as_ref().map(|decoded| &decoded.texture) {
            Some(Ok(texture)) => TextureState::Ready(texture.id()),
            Some(Err(reason)) => TextureState::Failed(reason),
            None => TextureState::Pending,
        }
    }

    /// Removes the least recently visible textures that exceed the limit.
    fn evict(&mut self, frame: u64) {
        let mut entries: Vec<(u64, String, usize)> = self
            .0
            .iter()
            .map(|(key, entry)| (entry.last_frame, key.clone(), entry.pixel_count()))
            .collect();
        entries.sort_by_key(|(last_frame, ..)| std::cmp::Reverse(*last_frame));
        let mut total_pixels = 0;
        for (last_frame, key, pixel_count) in entries {
            total_pixels += pixel_count;
            // Textures of the last frame may be visible in this one, too.
            if total_pixels > MAX_CACHED_PIXELS && last_frame + 1 < frame {
                self.0.remove(&key);
            }
        }
    }
}

impl PictureTexture {
    fn pixel_count(&self) -> usize {
        self.decoded
            .as_ref()
            .map_or(0, |decoded| decoded.source.size_px.iter().map(|side| *side as usize).product())
    }

    /// Receives a decoded picture, and starts to decode `source` unless it is ready. The
    /// earlier texture stays visible until then.
    fn update(
        &mut self,
        ctx: &Context,
        encoded: &EncodedPicture,
        source: &TextureSource,
        blocking: bool,
    ) {
        if self.decoded.as_ref().is_some_and(|decoded| decoded.ctx != *ctx) {
            self.decoded = None;
        }
        let timeout = if blocking { BLOCKING_TIMEOUT } else { Duration::ZERO };
        self.receive(ctx, timeout);
        let is_ready = self.decoded.as_ref().is_some_and(|decoded| decoded.source.is_same(source));
        if is_ready || self.pending.is_some() {
            return;
        }
        let task_ctx = ctx.clone();
        let task = encoded.start(source.size_px, move || task_ctx.request_repaint());
        self.pending = Some(PendingTexture { source: source.clone(), task });
        self.receive(ctx, timeout.max(FIRST_FRAME_TIMEOUT));
    }

    /// Waits for the pending picture and loads it as a texture.
    fn receive(&mut self, ctx: &Context, timeout: Duration) {
        let Some(pending) = &self.pending else {
            return;
        };
        let Some(result) = pending.task.answer(timeout) else {
            return;
        };
        let image = result.unwrap_or_else(|_| Err("the work was broken off".to_owned()));
        let texture = image.map(|image| {
            let size = [image.width as usize, image.height as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, &image.rgba);
            ctx.load_texture("picture", pixels, TextureOptions::LINEAR)
        });
        let source = pending.source.clone();
        self.decoded = Some(DecodedTexture { source, texture, ctx: ctx.clone() });
        self.pending = None;
    }
}
