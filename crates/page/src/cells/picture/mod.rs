//! A picture from the lesson's folder, with its caption below it.

mod textures;

use bindpose_lesson::{PictureCell, PictureContent, PictureFormat};
use eframe::egui::{Align2, FontId, Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::PageContext;
use crate::prose::{Face, text_ui};
use crate::theme::{CAPTION, SMALL};
use crate::widgets::{Emphasis, note};
use textures::{Showing, Textures};

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
    let enlarged = enlarged.is_some_and(|enlarged| enlarged.cell == id);
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
                PictureFormat::Svg => "SVG",
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
