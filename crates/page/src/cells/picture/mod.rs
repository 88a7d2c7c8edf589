//! A picture from the lesson's folder, with its caption below it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bindpose_asset::{EncodedPicture, Image, Task};
use bindpose_lesson::{PictureCell, PictureContent, PictureFormat};
use bindpose_notebook::encoded_picture;
use eframe::egui::{
    Align2, ColorImage, Context, FontId, Rect, Role, Sense, TextureHandle, TextureId,
    TextureOptions, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::PageContext;
use crate::prose::{Face, text_ui};
use crate::theme::{CAPTION, SMALL};
use crate::widgets::{Emphasis, note};

/// Of the page's height, what a picture takes at most.
const HIGHEST: f32 = 0.7;
/// Around a picture on a plate, in points.
const PLATE: f32 = 10.0;
/// Corners of a plate, and of the place of a picture that is yet to come.
const ROUND: f32 = 6.0;
/// Least height of a picture, in points.
const LEAST_HEIGHT: f32 = 24.0;

/// Shows the picture in the width that is left; where it has all of the page, as large
/// as it goes into `height`.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &PictureCell,
    id: &str,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let theme = page.theme;
    let file = cell.file_in(theme.dark);
    let Some(content) = &file.content else {
        let words = format!("The picture `{}` cannot be shown. {}", file.name, cell.alt);
        note(ui, theme, &words, SMALL, Emphasis::Quiet);
        return;
    };
    let enlarged = page.view.enlarged.as_ref();
    let enlarged = enlarged.is_some_and(|enlarged| enlarged.cell.as_deref() == Some(id));
    let plated = theme.dark && content.see_through && cell.dark.is_none();
    let pad = if plated { PLATE } else { 0.0 };
    let room = PictureRoom {
        width: (ui.available_width() - 2.0 * pad).max(1.0),
        part: if enlarged { Some(1.0) } else { cell.width },
        highest: if enlarged {
            height - 2.0 * pad - caption_height(ui, cell, page)
        } else {
            ui.content_rect().height() * HIGHEST
        },
    };
    let size = room.fit(content.size);
    let (outer, response) = ui.allocate_exact_size(size + Vec2::splat(2.0 * pad), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &cell.alt));
    if ui.is_rect_visible(outer) {
        if plated {
            ui.painter().rect_filled(outer, ROUND, theme.plate);
        }
        let key = format!("{}/{id}", page.lesson.slug);
        paint(ui, content, &key, outer.shrink(pad), page);
    }
    if let Some(caption) = &cell.caption {
        ui.add_space(2.0);
        text_ui(ui, caption, CAPTION, Emphasis::Quiet, page);
    }
}

/// The pixels, or the place where they will be.
fn paint(ui: &Ui, content: &PictureContent, key: &str, rect: Rect, page: &mut PageContext<'_>) {
    let pixels = rect.size() * ui.pixels_per_point();
    let waits = page.view.pictures.waits;
    let textures: &mut Textures = page.view.cells.get("", "pictures");
    match textures.show(ui, key, content, pixels, waits) {
        Showing::Texture(texture) => {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            let plain = eframe::egui::Color32::WHITE;
            ui.painter().image(texture, rect, whole, plain);
        }
        Showing::Nothing => {
            ui.painter().rect_filled(rect, ROUND, page.theme.panel);
        }
        Showing::Failed(why) => {
            let format = match content.format {
                PictureFormat::Png => "PNG",
                PictureFormat::Jpeg => "JPEG",
            };
            let words = format!("This {format} picture cannot be shown: {why}");
            ui.painter().rect_filled(rect, ROUND, page.theme.panel);
            let galley = ui.painter().layout(
                words,
                FontId::proportional(CAPTION),
                page.theme.wrong,
                (rect.width() - 2.0 * PLATE).max(20.0),
            );
            let at = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
            ui.painter().with_clip_rect(rect).galley(at.min, galley, page.theme.wrong);
        }
    }
}

/// What a caption takes below an enlarged picture.
fn caption_height(ui: &Ui, cell: &PictureCell, page: &PageContext<'_>) -> f32 {
    cell.caption.as_ref().map_or(0.0, |caption| {
        let face = Face::of_text(CAPTION, Emphasis::Quiet, page.theme);
        let words = ui.painter().layout(
            caption.words(),
            FontId::proportional(CAPTION),
            page.theme.quiet,
            ui.available_width(),
        );
        words.rows.len() as f32 * face.line + 12.0
    })
}

/// Where a picture goes.
struct PictureRoom {
    width: f32,
    /// Of the width, what it is to have; absent: as wide as it is.
    part: Option<f32>,
    highest: f32,
}

impl PictureRoom {
    /// In points, as wide as it shall be, no larger than there is room.
    fn fit(&self, [width, height]: [f32; 2]) -> Vec2 {
        let wanted = self.part.map_or(width.min(self.width), |part| part * self.width);
        let highest = self.highest.max(LEAST_HEIGHT);
        let scale = (wanted / width).min(highest / height);
        vec2(width * scale, height * scale)
    }
}

#[cfg(test)]
mod tests;

// Textures of the pictures that are shown: made beside the page, in as many pixels as
// are seen, and kept while there is room.

/// What the first frame waits: small pictures are there by then, and nothing flickers.
const GLANCE: Duration = Duration::from_millis(8);
/// Where nothing is shown until all is done.
const ALL_THE_TIME: Duration = Duration::from_mins(10);
/// Pixels of all textures that are kept, beside those in sight.
const KEPT_PIXELS: usize = 24_000_000;

/// By what shows them.
#[derive(Default)]
struct Textures(BTreeMap<String, ShownTexture>);

/// What stands in the place of a picture.
enum Showing<'a> {
    Texture(TextureId),
    /// It is on its way.
    Nothing,
    /// Why there is none, in words.
    Failed(&'a str),
}

#[derive(Default)]
struct ShownTexture {
    made: Option<MadeTexture>,
    coming: Option<(Pixels, Task<Result<Image, String>>)>,
    /// Number of the frame in which it was last seen.
    seen: u64,
}

/// A picture in a size.
#[derive(Clone)]
struct Pixels {
    bytes: Arc<[u8]>,
    size: [u32; 2],
}

struct MadeTexture {
    of: Pixels,
    texture: Result<TextureHandle, String>,
    /// In another context, as after a lost one, a texture is none.
    ctx: Context,
}

impl Pixels {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes) && self.size == other.size
    }
}

impl Textures {
    /// What stands in a place of so many pixels; `key` says which place. `waits`: the
    /// frame waits for it.
    fn show(
        &mut self,
        ui: &Ui,
        key: &str,
        content: &PictureContent,
        shown_px: Vec2,
        waits: bool,
    ) -> Showing<'_> {
        let ctx = ui.ctx();
        let frame = ctx.cumulative_frame_nr();
        self.forget_old(frame);
        let shown = self.0.entry(key.to_owned()).or_default();
        shown.seen = frame;
        let encoded = encoded_picture(content);
        let most = ctx.input(|input| input.max_texture_side) as u32;
        let size = encoded.pixels_for(shown_px.into());
        let wanted = Pixels { size: size.map(|side| side.min(most)), bytes: encoded.bytes.clone() };
        shown.advance(ctx, &encoded, &wanted, waits);
        match shown.made.as_ref().map(|made| &made.texture) {
            Some(Ok(texture)) => Showing::Texture(texture.id()),
            Some(Err(why)) => Showing::Failed(why),
            None => Showing::Nothing,
        }
    }

    /// Those seen last stay, as many as there is room for.
    fn forget_old(&mut self, frame: u64) {
        let mut by_age: Vec<(u64, String, usize)> =
            self.0.iter().map(|(key, shown)| (shown.seen, key.clone(), shown.pixels())).collect();
        by_age.sort_by_key(|(seen, ..)| std::cmp::Reverse(*seen));
        let mut all = 0;
        for (seen, key, pixels) in by_age {
            all += pixels;
            // What was seen in the last frame may be seen in this one.
            if all > KEPT_PIXELS && seen + 1 < frame {
                self.0.remove(&key);
            }
        }
    }
}

impl ShownTexture {
    fn pixels(&self) -> usize {
        self.made
            .as_ref()
            .map_or(0, |made| made.of.size.iter().map(|side| *side as usize).product())
    }

    /// Takes what has come, and asks for what is wanted now. What was made before
    /// stays until then.
    fn advance(&mut self, ctx: &Context, encoded: &EncodedPicture, wanted: &Pixels, waits: bool) {
        if self.made.as_ref().is_some_and(|made| made.ctx != *ctx) {
            self.made = None;
        }
        let patience = if waits { ALL_THE_TIME } else { Duration::ZERO };
        self.take(ctx, patience);
        let made = self.made.as_ref().is_some_and(|made| made.of.is(wanted));
        if made || self.coming.is_some() {
            return;
        }
        let waking = ctx.clone();
        let task = encoded.start(wanted.size, move || waking.request_repaint());
        self.coming = Some((wanted.clone(), task));
        self.take(ctx, patience.max(GLANCE));
    }

    fn take(&mut self, ctx: &Context, patience: Duration) {
        let Some((of, task)) = &self.coming else {
            return;
        };
        let Some(answer) = task.answer(patience) else {
            return;
        };
        let image = answer.unwrap_or_else(|_| Err("the work was broken off".to_owned()));
        let texture = image.map(|image| {
            let size = [image.width as usize, image.height as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, &image.rgba);
            ctx.load_texture("picture", pixels, TextureOptions::LINEAR)
        });
        self.made = Some(MadeTexture { of: of.clone(), texture, ctx: ctx.clone() });
        self.coming = None;
    }
}
