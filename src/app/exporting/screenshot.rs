//! The page, or a part of it, as it is on the screen.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use eframe::egui::{self, ColorImage, Context, Rect};
use image::{ImageFormat, RgbaImage};

use bindpose_page::view::SaveRequest;

/// Frames until the menu that asked is off the screen.
const FRAMES_BEFORE: u32 = 2;
/// A request without an answer by then has failed.
const TIMEOUT_SECS: f64 = 5.0;

/// A picture that is asked for.
pub(super) struct Screenshot {
    name: String,
    /// In points; `None`: the whole page.
    rect: Option<Rect>,
    frames: u32,
    asked: Option<(f64, Receiver<Arc<ColorImage>>)>,
}

impl Screenshot {
    pub(super) fn of_page(name: String) -> Self {
        Self { name, rect: None, frames: 0, asked: None }
    }

    pub(super) fn of_rect(name: String, rect: Rect) -> Self {
        Self { rect: Some(rect), ..Self::of_page(name) }
    }

    /// Nobody answers any more: asks again.
    pub(super) fn begin_anew(&mut self) {
        (self.frames, self.asked) = (0, None);
    }

    /// Once a frame: waits, asks, takes what comes.
    pub(super) fn update(&mut self, ctx: &Context) -> Option<Result<SaveRequest, String>> {
        let now = ctx.input(|input| input.time);
        let Some((asked_secs, taken)) = &self.asked else {
            self.frames += 1;
            if self.frames > FRAMES_BEFORE {
                self.asked = Some((now, ask(ctx)));
            }
            ctx.request_repaint();
            return None;
        };
        if let Ok(image) = taken.try_recv() {
            let bytes = png(&image, self.rect, ctx.pixels_per_point());
            let name = std::mem::take(&mut self.name);
            return Some(bytes.map(|bytes| SaveRequest { name, bytes }));
        }
        if now - asked_secs > TIMEOUT_SECS {
            let words = if cfg!(target_arch = "wasm32") {
                "The browser gave no picture of the page. Try again while its tab is in front."
            } else {
                "The window gave no picture of itself. `bindpose shot` draws pages without one."
            };
            return Some(Err(words.to_owned()));
        }
        ctx.request_repaint();
        None
    }
}

fn ask(ctx: &Context) -> Receiver<Arc<ColorImage>> {
    let (send, taken) = channel();
    let waker = ctx.clone();
    ctx.request_screenshot(move |image| {
        let _ = send.send(image);
        waker.request_repaint();
    });
    taken
}

/// The part inside `rect`, which is in points.
pub(super) fn png(
    image: &ColorImage,
    rect: Option<Rect>,
    pixels_per_point: f32,
) -> Result<Vec<u8>, String> {
    let [width, height] = image.size;
    let whole = Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width as f32, height as f32));
    let part = rect.map_or(whole, |rect| {
        let pixels = Rect::from_min_max(
            (rect.min.to_vec2() * pixels_per_point).round().to_pos2(),
            (rect.max.to_vec2() * pixels_per_point).round().to_pos2(),
        );
        pixels.intersect(whole)
    });
    if !(part.width() >= 1.0 && part.height() >= 1.0) {
        return Err("The picture is out of view; scroll to it and try again.".to_owned());
    }
    let (left, top) = (part.left() as usize, part.top() as usize);
    let picture = RgbaImage::from_fn(part.width() as u32, part.height() as u32, |x, y| {
        let at = (top + y as usize) * width + left + x as usize;
        let color = image.pixels.get(at).copied().unwrap_or_default();
        image::Rgba([color.r(), color.g(), color.b(), 255])
    });
    encoded(&picture)
}

/// As PNG.
pub(super) fn encoded(picture: &RgbaImage) -> Result<Vec<u8>, String> {
    let mut bytes = Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|error| format!("The picture could not be written as PNG: {error}"))?;
    Ok(bytes.into_inner())
}
