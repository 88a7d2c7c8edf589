//! Pictures for handouts, each drawn beside the page by the page itself, and whole handouts without a window.

pub(super) mod look;
#[cfg(test)]
mod tests;
#[cfg(not(target_arch = "wasm32"))]
mod without_window;

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::LessonSet;
use bindpose_notebook::Preferences;
use bindpose_notebook::export::small_png;
use bindpose_page::touch;
use bindpose_paper::handout::{
    HandoutPicture, HandoutRequest, PictureRenderer, PictureRequest, PictureSubject,
};
use bindpose_render::{PageTarget, RenderError, apply_textures};
use eframe::egui::accesskit::{Role, TreeUpdate};
use eframe::{egui, egui_glow, glow};
use image::RgbaImage;

use super::shell::{Shell, ShellError, ShellOptions};

#[cfg(not(target_arch = "wasm32"))]
pub use without_window::{HandoutError, HandoutOf, HandoutOptions, handout, handout_name};

/// Pixels of a picture for each point: sharp on paper.
const SCALE: f32 = 1.5;
/// Points of the highest cell that is pictured whole.
const TALLEST: u32 = 1800;

/// Why a picture was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum StillError {
    /// GL or the notebook refused.
    #[error(transparent)]
    Offscreen(#[from] OffscreenError),
    /// There is no such page, in words.
    #[error("{0}")]
    Page(String),
    /// What was drawn does not go into a PNG file.
    #[error("a picture could not be written as PNG: {0}")]
    Png(#[from] png::EncodingError),
}

/// Draws cells, one by one.
struct Stills {
    offscreen: OffscreenShell,
}

impl Stills {
    fn new(
        gl: &Arc<glow::Context>,
        set: LessonSet,
        own: Option<&Arc<Rig>>,
    ) -> Result<Self, StillError> {
        let [width, height] = HandoutRequest::default().picture;
        let mut offscreen = OffscreenShell::new(gl, set, pixels(width, height), SCALE, false)?;
        offscreen.stand_on(own).map_err(StillError::Page)?;
        Ok(Self { offscreen })
    }

    fn drawn(&mut self, wanted: &PictureRequest) -> Result<HandoutPicture, StillError> {
        let link = match &wanted.part {
            PictureSubject::Cell { step, .. } | PictureSubject::Learnt { step, .. } => {
                format!("bindpose://{}/{step}", wanted.lesson)
            }
            PictureSubject::Question { .. } => format!("bindpose://{}", wanted.lesson),
        };
        let shell = &mut self.offscreen.shell;
        shell.follow(&link).map_err(StillError::Page)?;
        let size = pixels(wanted.width, wanted.height.unwrap_or(TALLEST));
        self.offscreen.resize(size);
        let (width, height) = (wanted.width as f32, wanted.height.map(|height| height as f32));
        let (image, words) = match &wanted.part {
            PictureSubject::Cell { cell, .. } => self.offscreen.cell(cell, width, height)?,
            PictureSubject::Learnt { cell, line, .. } => {
                let height = height.unwrap_or(width);
                self.offscreen.learnt((cell, *line), [width, height])?
            }
            PictureSubject::Question { question, option } => {
                let height = height.unwrap_or(width);
                self.offscreen.question(question, *option, [width, height])?
            }
        };
        let size = [image.width(), image.height()].map(|pixels| pixels as f32 / SCALE);
        let words = match &wanted.part {
            _ if !words.is_empty() => words.join(" "),
            PictureSubject::Cell { cell, .. } => {
                format!("The cell {cell} as the notebook shows it.")
            }
            PictureSubject::Learnt { .. } | PictureSubject::Question { .. } => {
                "The model as the notebook shows it.".to_owned()
            }
        };
        Ok(HandoutPicture { png: small_png(&opaque(image))?, size, words })
    }
}

impl PictureRenderer for Stills {
    fn draw(&mut self, wanted: &PictureRequest) -> Result<HandoutPicture, String> {
        self.drawn(wanted).map_err(|error| error.to_string())
    }
}

/// What draws the pictures of handouts in the window.
pub(in crate::app) fn make_stills(
    gl: &Arc<glow::Context>,
    set: LessonSet,
    own: Option<&Arc<Rig>>,
) -> Result<Box<dyn PictureRenderer>, String> {
    let stills = Stills::new(gl, set, own).map_err(|error| error.to_string())?;
    Ok(Box::new(stills))
}

fn pixels(width: u32, height: u32) -> [u32; 2] {
    [width, height].map(|points| (points as f32 * SCALE).ceil() as u32)
}

/// The page is opaque; what is read back may say otherwise at soft edges.
fn opaque(mut image: RgbaImage) -> RgbaImage {
    image.pixels_mut().for_each(|pixel| pixel[3] = 255);
    image
}

// A notebook that is drawn into images: whole pages, or one cell by itself.

/// Frames drawn at least before a picture is taken: sizes and hovering settle.
const FRAMES: usize = 4;
/// Frames drawn at most, where the page asks for more: a page that always does
/// is pictured as it is then.
const MOST_FRAMES: usize = 120;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum OffscreenError {
    /// GL refused.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// No notebook.
    #[error(transparent)]
    Shell(#[from] ShellError),
    /// A size or scale that makes no picture.
    #[error("{0}")]
    Size(String),
    /// There is nothing of that name.
    #[error("the page has no `{0}`")]
    NoPart(String),
}

/// A shell, a context and something to paint on.
pub(super) struct OffscreenShell {
    pub(super) shell: Shell,
    ctx: egui::Context,
    painter: egui_glow::Painter,
    target: PageTarget,
    size: [u32; 2],
    time_secs: f64,
    touched: bool,
}

impl OffscreenShell {
    /// `size` is in pixels.
    pub(super) fn new(
        gl: &Arc<glow::Context>,
        set: LessonSet,
        size: [u32; 2],
        scale: f32,
        dark: bool,
    ) -> Result<Self, OffscreenError> {
        if size.iter().any(|&pixels| !(16..=8192).contains(&pixels)) {
            return Err(OffscreenError::Size(format!(
                "a picture is 16 to 8192 pixels wide and high, not {} × {}",
                size[0], size[1]
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
        shell.wait_for_work();
        // The last that can fail: a painter must be destroyed.
        let painter =
            egui_glow::Painter::new(Arc::clone(gl), "", None, false).map_err(|error| {
                shell.destroy();
                OffscreenError::Size(error.to_string())
            })?;
        Ok(Self { shell, ctx, painter, target, size, time_secs: 0.0, touched: false })
    }

    /// Another size of what is drawn from now on, in pixels.
    pub(super) fn resize(&mut self, size: [u32; 2]) {
        self.size = size;
    }

    /// As the page is after a touch, where it is to be so.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn touched(&mut self, on: bool) {
        self.touched = on;
    }

    /// With what the content check finds in lessons of a folder.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn check_content(&mut self) {
        self.shell.check_content_now(&self.ctx);
    }

    /// Without words about the model that has been opened: a picture is of the
    /// page.
    pub(super) fn stand_on(&mut self, model: Option<&Arc<Rig>>) -> Result<(), String> {
        model.map_or(Ok(()), |model| self.shell.open_model(Arc::clone(model)))
    }

    /// The page.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn picture(&mut self) -> Result<RgbaImage, OffscreenError> {
        let (image, _) = self.drawn(|shell, ui| shell.ui(ui))?;
        Ok(image)
    }

    /// One cell of the open step by itself, `width` points wide; without a height,
    /// as high as it is. Also what its pictures are called.
    pub(super) fn cell(
        &mut self,
        id: &str,
        width: f32,
        height: Option<f32>,
    ) -> Result<(RgbaImage, Vec<String>), OffscreenError> {
        self.part(id, |shell, ui| shell.cell(ui, id, width, height))
    }

    /// The figure of a question of the open lesson's inventory, or one of its answers,
    /// of this size in points. Also what it is called.
    pub(super) fn question(
        &mut self,
        id: &str,
        option: Option<usize>,
        size: [f32; 2],
    ) -> Result<(RgbaImage, Vec<String>), OffscreenError> {
        self.part(id, |shell, ui| shell.question(ui, (id, option), size))
    }

    /// What proves a line of what was learnt, by the cell and the index of the line.
    fn learnt(
        &mut self,
        (cell, line): (&str, usize),
        size: [f32; 2],
    ) -> Result<(RgbaImage, Vec<String>), OffscreenError> {
        self.part(cell, |shell, ui| shell.learnt(ui, (cell, line), size))
    }

    /// What comes to lie somewhere on the page.
    fn part(
        &mut self,
        id: &str,
        mut show: impl FnMut(&mut Shell, &mut egui::Ui) -> Option<egui::Rect>,
    ) -> Result<(RgbaImage, Vec<String>), OffscreenError> {
        self.ctx.enable_accesskit();
        let mut shown = None;
        let (image, words) = self.drawn(|shell, ui| shown = show(shell, ui))?;
        let rect = shown.ok_or_else(|| OffscreenError::NoPart(id.to_owned()))?;
        let ppp = self.ctx.pixels_per_point();
        let pixels = |points: f32| (points * ppp).round().max(0.0) as u32;
        let (left, top) = (pixels(rect.left()), pixels(rect.top()));
        let wide = pixels(rect.width()).clamp(1, image.width().saturating_sub(left).max(1));
        let high = pixels(rect.height()).clamp(1, image.height().saturating_sub(top).max(1));
        let part = image::imageops::crop_imm(&image, left, top, wide, high);
        Ok((part.to_image(), words))
    }

    /// Draws until nothing asks for another frame.
    fn drawn(
        &mut self,
        mut show: impl FnMut(&mut Shell, &mut egui::Ui),
    ) -> Result<(RgbaImage, Vec<String>), OffscreenError> {
        let mut words = Vec::new();
        for frame in 1..=MOST_FRAMES {
            self.time_secs += 1.0 / 60.0;
            let points = egui::vec2(self.size[0] as f32, self.size[1] as f32);
            let mut input = egui::RawInput {
                time: Some(self.time_secs),
                screen_rect: Some(egui::Rect::from_min_size(
                    egui::Pos2::ZERO,
                    points / self.ctx.zoom_factor(),
                )),
                events: self.touched.then(touch::none).into_iter().collect(),
                ..Default::default()
            };
            if let Some(viewport) = input.viewports.get_mut(&egui::ViewportId::ROOT) {
                viewport.native_pixels_per_point = Some(1.0);
            }
            let shell = &mut self.shell;
            let mut output = self.ctx.run_ui(input, |ui| show(shell, ui));
            if let Some(tree) = output.platform_output.accesskit_update.take() {
                words = words_of_pictures(&tree);
            }
            let ppp = output.pixels_per_point;
            let root = output.viewport_output.get(&egui::ViewportId::ROOT);
            let settled = root.is_none_or(|root| !root.repaint_delay.is_zero());
            if (settled && frame >= FRAMES) || frame == MOST_FRAMES {
                let (painter, ctx) = (&mut self.painter, &self.ctx);
                let image = self.target.paint_page(painter, ctx, output, self.size, ppp)?;
                return Ok((image, words));
            }
            // Nobody sees the frames before; only what they say of textures counts.
            apply_textures(&mut self.painter, &mut output.textures_delta);
        }
        Err(OffscreenError::Size("no frame was drawn".to_owned()))
    }
}

/// What pictures are called, for those who do not see them.
fn words_of_pictures(tree: &TreeUpdate) -> Vec<String> {
    let pictures = tree.nodes.iter().map(|(_, node)| node);
    let pictures = pictures.filter(|node| node.role() == Role::Image);
    pictures.filter_map(|node| node.label().map(str::to_owned)).collect()
}

impl Drop for OffscreenShell {
    fn drop(&mut self) {
        self.shell.destroy();
        self.painter.destroy();
    }
}
