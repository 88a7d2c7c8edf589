//! Pictures for handouts, which the page draws off screen.

pub(super) mod look;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_kit::touch;
use bindpose_lesson::LessonSet;
use bindpose_notebook::Preferences;
use bindpose_notebook::export::small_png;
use bindpose_paper::handout::{
    HandoutPicture, HandoutRequest, PictureRenderer, PictureRequest, PictureSubject,
};
use bindpose_render::{PageTarget, RenderError, apply_textures};
use eframe::egui::accesskit::{Role, TreeUpdate};
use eframe::{egui, egui_glow, glow};
use image::RgbaImage;

use super::shell::{Shell, ShellError, ShellOptions};

/// Pixels of a picture per point, which is sharp on paper.
const PIXELS_PER_POINT: f32 = 1.5;

/// Maximum height of a cell without a height of its own. Higher cells are cut off.
const MAX_CELL_HEIGHT_PTS: u32 = 1800;

/// The reason why a picture was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum StillError {
    /// An error of GL or the notebook.
    #[error(transparent)]
    Offscreen(#[from] OffscreenError),
    /// The page does not exist. Holds a message.
    #[error("{0}")]
    Page(String),
    /// The image could not be encoded.
    #[error("a picture could not be written as PNG: {0}")]
    Png(#[from] png::EncodingError),
}

/// Draws single cells off screen.
pub(in crate::app) struct Stills {
    offscreen: OffscreenShell,
}

impl Stills {
    pub(in crate::app) fn new(
        gl: &Arc<glow::Context>,
        set: LessonSet,
        own_rig: Option<&Arc<Rig>>,
    ) -> Result<Self, StillError> {
        let [width, height] = HandoutRequest::default().picture;
        let size_px = size_in_pixels(width, height);
        let mut offscreen = OffscreenShell::new(gl, set, size_px, PIXELS_PER_POINT, false)?;
        offscreen.open_model(own_rig).map_err(StillError::Page)?;
        Ok(Self { offscreen })
    }

    pub(in crate::app) fn draw_picture(
        &mut self,
        request: &PictureRequest,
    ) -> Result<HandoutPicture, StillError> {
        let link = match &request.part {
            PictureSubject::Cell { step, .. } | PictureSubject::Learnt { step, .. } => {
                format!("bindpose://{}/{step}", request.lesson)
            }
            PictureSubject::Question { .. } => format!("bindpose://{}", request.lesson),
        };
        self.offscreen.shell.open_link(&link).map_err(StillError::Page)?;
        let height = request.height.unwrap_or(MAX_CELL_HEIGHT_PTS);
        self.offscreen.resize(size_in_pixels(request.width, height));
        let width = request.width as f32;
        let height = request.height.map(|height| height as f32);
        let part = match &request.part {
            PictureSubject::Cell { cell, .. } => self.offscreen.draw_cell(cell, width, height)?,
            PictureSubject::Learnt { cell, line, .. } => {
                let size = [width, height.unwrap_or(width)];
                self.offscreen.draw_summary_line(cell, *line, size)?
            }
            PictureSubject::Question { question, option } => {
                let size = [width, height.unwrap_or(width)];
                self.offscreen.draw_question(question, *option, size)?
            }
        };
        let PagePicture { image, picture_labels } = part;
        let size = [image.width(), image.height()].map(|pixels| pixels as f32 / PIXELS_PER_POINT);
        let words = match &request.part {
            _ if !picture_labels.is_empty() => picture_labels.join(" "),
            PictureSubject::Cell { cell, .. } => {
                format!("The cell {cell} as the notebook shows it.")
            }
            PictureSubject::Learnt { .. } | PictureSubject::Question { .. } => {
                "The model as the notebook shows it.".to_owned()
            }
        };
        Ok(HandoutPicture { png: small_png(&make_opaque(image))?, size, words })
    }
}

impl PictureRenderer for Stills {
    fn draw(&mut self, request: &PictureRequest) -> Result<HandoutPicture, String> {
        self.draw_picture(request).map_err(|error| error.to_string())
    }
}

/// Creates the renderer for the pictures of handouts.
pub(in crate::app) fn make_stills(
    gl: &Arc<glow::Context>,
    set: LessonSet,
    own_rig: Option<&Arc<Rig>>,
) -> Result<Box<dyn PictureRenderer>, String> {
    let stills = Stills::new(gl, set, own_rig).map_err(|error| error.to_string())?;
    Ok(Box::new(stills))
}

fn size_in_pixels(width_pts: u32, height_pts: u32) -> [u32; 2] {
    [width_pts, height_pts].map(|points| (points as f32 * PIXELS_PER_POINT).ceil() as u32)
}

/// Removes transparency. The page is opaque, but pixels read back at soft edges may not be.
fn make_opaque(mut image: RgbaImage) -> RgbaImage {
    for pixel in image.pixels_mut() {
        pixel[3] = 255;
    }
    image
}

// A notebook drawn into images: whole pages, or single cells.

/// Minimum number of frames before a picture is taken, in which sizes and hovering settle.
const MIN_FRAMES: usize = 4;

/// Maximum number of frames for a page that keeps requesting more, which is then pictured as it
/// is.
const MAX_FRAMES: usize = 120;

/// The reason why a page was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum OffscreenError {
    /// An error of GL.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The notebook could not be opened.
    #[error(transparent)]
    Shell(#[from] ShellError),
    /// The size or scale is out of range.
    #[error("{0}")]
    Size(String),
    /// The page has no part of this name.
    #[error("the page has no `{0}`")]
    NoPart(String),
}

/// A shell with an egui context and a target to paint on.
pub(super) struct OffscreenShell {
    pub(super) shell: Shell,
    pub(super) ctx: egui::Context,
    painter: egui_glow::Painter,
    target: PageTarget,
    size_px: [u32; 2],
    time_secs: f64,
    /// True if the page is drawn as after a touch.
    pub(super) is_touched: bool,
}

/// A picture of the page or of a part of it.
pub(super) struct PagePicture {
    pub(super) image: RgbaImage,
    /// Labels of the pictures on the page, for readers who do not see them.
    picture_labels: Vec<String>,
}

impl OffscreenShell {
    /// Opens a notebook for pictures of a size of 16 to 8192 pixels, at 0.25 to 4 pixels per
    /// point.
    pub(super) fn new(
        gl: &Arc<glow::Context>,
        set: LessonSet,
        size_px: [u32; 2],
        scale: f32,
        dark: bool,
    ) -> Result<Self, OffscreenError> {
        if size_px.iter().any(|&pixels| !(16..=8192).contains(&pixels)) {
            return Err(OffscreenError::Size(format!(
                "a picture is 16 to 8192 pixels wide and high, not {} × {}",
                size_px[0], size_px[1]
            )));
        }
        if !(0.25..=4.0).contains(&scale) {
            return Err(OffscreenError::Size(format!("the scale is 0.25 to 4, not {scale}")));
        }
        let target = PageTarget::new(Arc::clone(gl))?;
        let ctx = egui::Context::default();
        let preferences = Preferences { dark: Some(dark), zoom: scale, ..Preferences::default() };
        let options = ShellOptions { set, preferences, ..ShellOptions::default() };
        let mut shell = Shell::new(&ctx, Some(Arc::clone(gl)), options)?;
        shell.wait_for_background_work();
        // Last, because a painter must be destroyed, also after an error.
        let painter =
            egui_glow::Painter::new(Arc::clone(gl), "", None, false).map_err(|error| {
                shell.destroy();
                OffscreenError::Size(error.to_string())
            })?;
        Ok(Self { shell, ctx, painter, target, size_px, time_secs: 0.0, is_touched: false })
    }

    /// Sets the size of the next pictures.
    pub(super) fn resize(&mut self, size_px: [u32; 2]) {
        self.size_px = size_px;
    }

    /// Opens a model without the messages about it, which do not belong in a picture.
    pub(super) fn open_model(&mut self, model: Option<&Arc<Rig>>) -> Result<(), String> {
        model.map_or(Ok(()), |model| self.shell.open_model(Arc::clone(model)))
    }

    /// Draws one cell of the open step. `width` and `height` are in points; without a height,
    /// the cell has its own.
    fn draw_cell(
        &mut self,
        id: &str,
        width: f32,
        height: Option<f32>,
    ) -> Result<PagePicture, OffscreenError> {
        self.draw_part(id, |shell, ui| shell.draw_cell(ui, id, width, height))
    }

    /// Draws the figure of a question of the open lesson's inventory, or of one of its answers.
    /// `size` is in points.
    fn draw_question(
        &mut self,
        id: &str,
        option: Option<usize>,
        size: [f32; 2],
    ) -> Result<PagePicture, OffscreenError> {
        self.draw_part(id, |shell, ui| shell.draw_question(ui, id, option, size))
    }

    /// Draws the picture that proves a line of a `learnt` cell. `size` is in points.
    fn draw_summary_line(
        &mut self,
        cell: &str,
        line: usize,
        size: [f32; 2],
    ) -> Result<PagePicture, OffscreenError> {
        self.draw_part(cell, |shell, ui| shell.draw_summary_line(ui, cell, line, size))
    }

    /// Draws a part of the page, of which `show` returns the rectangle.
    fn draw_part(
        &mut self,
        id: &str,
        mut show: impl FnMut(&mut Shell, &mut egui::Ui) -> Option<egui::Rect>,
    ) -> Result<PagePicture, OffscreenError> {
        self.ctx.enable_accesskit();
        let mut part_rect = None;
        let PagePicture { image, picture_labels } =
            self.draw(|shell, ui| part_rect = show(shell, ui))?;
        let rect = part_rect.ok_or_else(|| OffscreenError::NoPart(id.to_owned()))?;
        let pixels_per_point = self.ctx.pixels_per_point();
        let [left, top, width, height] = [rect.left(), rect.top(), rect.width(), rect.height()]
            .map(|points| (points * pixels_per_point).round().max(0.0) as u32);
        let width = width.clamp(1, image.width().saturating_sub(left).max(1));
        let height = height.clamp(1, image.height().saturating_sub(top).max(1));
        let part = image::imageops::crop_imm(&image, left, top, width, height);
        Ok(PagePicture { image: part.to_image(), picture_labels })
    }

    /// Draws frames until none requests another one, and takes a picture of the last.
    pub(super) fn draw(
        &mut self,
        mut show: impl FnMut(&mut Shell, &mut egui::Ui),
    ) -> Result<PagePicture, OffscreenError> {
        let mut picture_labels = Vec::new();
        for frame in 1..=MAX_FRAMES {
            self.time_secs += 1.0 / 60.0;
            let [width, height] = self.size_px.map(|pixels| pixels as f32);
            let mut input = egui::RawInput {
                time: Some(self.time_secs),
                screen_rect: Some(egui::Rect::from_min_size(
                    egui::Pos2::ZERO,
                    egui::vec2(width, height) / self.ctx.zoom_factor(),
                )),
                events: self.is_touched.then(touch::cancelled_touch_event).into_iter().collect(),
                ..Default::default()
            };
            if let Some(viewport) = input.viewports.get_mut(&egui::ViewportId::ROOT) {
                viewport.native_pixels_per_point = Some(1.0);
            }
            let shell = &mut self.shell;
            let mut output = self.ctx.run_ui(input, |ui| show(shell, ui));
            if let Some(tree) = output.platform_output.accesskit_update.take() {
                picture_labels = labels_of_pictures(&tree);
            }
            let pixels_per_point = output.pixels_per_point;
            let root = output.viewport_output.get(&egui::ViewportId::ROOT);
            let is_settled = root.is_none_or(|root| !root.repaint_delay.is_zero());
            if (is_settled && frame >= MIN_FRAMES) || frame == MAX_FRAMES {
                let image = self.target.paint_page(
                    &mut self.painter,
                    &self.ctx,
                    output,
                    self.size_px,
                    pixels_per_point,
                )?;
                return Ok(PagePicture { image, picture_labels });
            }
            // Earlier frames are not painted, but their textures are needed.
            apply_textures(&mut self.painter, &mut output.textures_delta);
        }
        Err(OffscreenError::Size("no frame was drawn".to_owned()))
    }
}

fn labels_of_pictures(tree: &TreeUpdate) -> Vec<String> {
    tree.nodes
        .iter()
        .filter(|(_, node)| node.role() == Role::Image)
        .filter_map(|(_, node)| node.label().map(str::to_owned))
        .collect()
}

impl Drop for OffscreenShell {
    fn drop(&mut self) {
        self.shell.destroy();
        self.painter.destroy();
    }
}
