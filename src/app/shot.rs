//! Pages as pictures, without a window.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui;
use eframe::egui_glow;

use super::lessons::lessons;
use super::opening::{Unopened, open_file, page_fits};
use super::shell::{Shell, ShellError, ShellOptions};
use crate::asset::Rig;
use crate::diagnostic::Diagnostic;
use crate::lesson::{LessonSet, Setting};
use crate::notebook::{Edit, OWN_RIG, Preferences};
use crate::render::RenderError;
use crate::render::headless::{HeadlessGl, PageTarget};

/// Frames drawn at least before a picture is taken: sizes and hovering settle.
const FRAMES: usize = 4;
/// Frames drawn at most, where the page asks for more: a page that always does
/// is pictured as it is then.
const MOST_FRAMES: usize = 120;
/// Of a tour: in the name of a file, and whether it is dark.
const THEMES: [(&str, bool); 2] = [("light", false), ("dark", true)];

/// Which pages a tour goes to, and how they are shown.
#[derive(Clone, Debug)]
pub struct TourOptions {
    /// Lessons from this folder instead of the built-in ones.
    pub lessons: Option<PathBuf>,
    /// A model to open first; only lessons that stand on it are drawn then.
    pub model: Option<PathBuf>,
    /// In pixels.
    pub size: [u32; 2],
    /// As the presenter mode shows them.
    pub present: bool,
    /// Only in the dark theme, or only in the light one; absent: in both.
    pub dark: Option<bool>,
}

/// What to picture, and how.
#[derive(Clone, Debug)]
pub struct ShotOptions {
    /// Lessons from this folder instead of the built-in ones.
    pub lessons: Option<PathBuf>,
    /// By number, slug or folder name.
    pub lesson: String,
    /// By slug or number from 1; absent: the first.
    pub step: Option<String>,
    /// A model to open first, for a page that stands on the reader's own.
    pub model: Option<PathBuf>,
    /// What to put to a value first.
    pub set: Vec<Setting>,
    /// In pixels.
    pub size: [u32; 2],
    /// Dark or light.
    pub dark: bool,
    /// Pixels per point: 2 shows everything twice as large.
    pub scale: f32,
    /// Show the page as the presenter mode does.
    pub present: bool,
    /// Open the bench.
    pub bench: bool,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum ShotError {
    /// No headless GL.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// No notebook.
    #[error(transparent)]
    Shell(#[from] ShellError),
    /// The model did not open.
    #[error(transparent)]
    Model(#[from] Unopened),
    /// There are no lessons, or not this one or this step.
    #[error(transparent)]
    Lessons(#[from] Diagnostic),
    /// The page does not go with the model, or a value was refused.
    #[error("{0}")]
    Page(String),
    /// A size or scale that makes no picture.
    #[error("{0}")]
    Size(String),
    /// What was drawn does not go into a PNG file.
    #[error("the picture could not be written as PNG: {0}")]
    Png(#[from] image::ImageError),
}

/// Draws one page; the bytes of a PNG file.
///
/// # Errors
/// See [`ShotError`].
pub fn shot(options: &ShotOptions) -> Result<Vec<u8>, ShotError> {
    let set = lessons(options.lessons.as_deref())?;
    let page = if options.lesson.contains("://") {
        options.lesson.clone()
    } else {
        set.page_link(&options.lesson, options.step.as_deref())?
    };
    let model = options.model.as_deref().map(|file| {
        page_fits(&set, &page).map_err(ShotError::Page)?;
        open_file(file).map_err(ShotError::Model)
    });
    let model = model.transpose()?;
    let gl = HeadlessGl::new()?;
    let mut studio = Studio::new(&gl, set, options.size, options.scale, options.dark)?;
    studio.stand_on(model.as_ref())?;
    studio.shell.follow(&page).map_err(ShotError::Page)?;
    studio
        .shell
        .edit(&Edit::Settings(options.set.clone()))
        .map_err(ShotError::Page)?;
    studio.shell.present(options.present);
    studio.shell.open_bench(options.bench);
    studio.png()
}

/// Every step of every lesson, light and dark.
pub struct Tour {
    set: LessonSet,
    size: [u32; 2],
    present: bool,
    /// Of [`THEMES`].
    themes: Vec<(&'static str, bool)>,
    own: Option<Arc<Rig>>,
    /// A link, and the name of a file without its theme.
    pages: Vec<(String, String)>,
}

impl Tour {
    /// With a model, of the lessons that stand on it.
    ///
    /// # Errors
    /// See [`ShotError`].
    pub fn new(options: &TourOptions) -> Result<Self, ShotError> {
        let set = lessons(options.lessons.as_deref())?;
        let own = options.model.as_deref().map(open_file).transpose()?;
        let shown = set.lessons.iter();
        let shown = shown.filter(|lesson| own.is_none() || lesson.rig == OWN_RIG);
        let pages = shown.flat_map(|lesson| {
            lesson.steps.iter().enumerate().map(|(index, step)| {
                let link = format!("bindpose://{}/{}", lesson.slug, step.slug);
                let name = format!("{}-{:02}-{}", lesson.folder, index + 1, step.slug);
                (link, name)
            })
        });
        let pages = pages.collect();
        let themes = THEMES.into_iter();
        let themes = themes.filter(|(_, dark)| options.dark.is_none_or(|only| only == *dark));
        Ok(Self {
            set,
            size: options.size,
            present: options.present,
            themes: themes.collect(),
            own,
            pages,
        })
    }

    /// The names of all pictures, in the order in which they are drawn.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.themes.iter().flat_map(|(theme, _)| {
            let pages = self.pages.iter();
            pages.map(move |(_, name)| format!("{name}-{theme}.png"))
        })
    }

    /// Draws them, and hands the bytes of each PNG file to `take` in the order of
    /// the names.
    ///
    /// # Errors
    /// See [`ShotError`]; and what `take` answers.
    pub fn draw<E: From<ShotError>>(
        &self,
        mut take: impl FnMut(Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let gl = HeadlessGl::new().map_err(ShotError::from)?;
        for &(_, dark) in &self.themes {
            let mut studio = Studio::new(&gl, self.set.clone(), self.size, 1.0, dark)?;
            studio.shell.present(self.present);
            studio.stand_on(self.own.as_ref())?;
            for (link, _) in &self.pages {
                studio.shell.follow(link).map_err(ShotError::Page)?;
                take(studio.png()?)?;
            }
        }
        Ok(())
    }
}

/// A shell, a context and something to paint on.
struct Studio {
    shell: Shell,
    ctx: egui::Context,
    painter: egui_glow::Painter,
    target: PageTarget,
    size: [u32; 2],
    time_secs: f64,
}

impl Studio {
    fn new(
        gl: &HeadlessGl,
        set: LessonSet,
        size: [u32; 2],
        scale: f32,
        dark: bool,
    ) -> Result<Self, ShotError> {
        if size.iter().any(|&pixels| !(16..=8192).contains(&pixels)) {
            return Err(ShotError::Size(format!(
                "a picture is 16 to 8192 pixels wide and high, not {} × {}",
                size[0], size[1]
            )));
        }
        if !(0.25..=4.0).contains(&scale) {
            return Err(ShotError::Size(format!(
                "the scale is 0.25 to 4, not {scale}"
            )));
        }
        let target = PageTarget::new(gl.gl())?;
        let ctx = egui::Context::default();
        let preferences = Preferences {
            dark: Some(dark),
            zoom: scale,
            ..Preferences::default()
        };
        let mut shell = Shell::new(&ctx, Some(gl.gl()), ShellOptions { set, preferences })?;
        shell.wait_for_work();
        // The last that can fail: a painter must be destroyed.
        let painter = egui_glow::Painter::new(gl.gl(), "", None, false).map_err(|error| {
            shell.destroy();
            ShotError::Size(error.to_string())
        })?;
        Ok(Self {
            shell,
            ctx,
            painter,
            target,
            size,
            time_secs: 0.0,
        })
    }

    /// Without words about the model that has been opened: a picture is of the
    /// page.
    fn stand_on(&mut self, model: Option<&Arc<Rig>>) -> Result<(), ShotError> {
        model.map_or(Ok(()), |model| {
            self.shell
                .open_model(Arc::clone(model))
                .map_err(ShotError::Page)
        })
    }

    fn png(&mut self) -> Result<Vec<u8>, ShotError> {
        let mut bytes = Cursor::new(Vec::new());
        self.picture()?
            .write_to(&mut bytes, image::ImageFormat::Png)?;
        Ok(bytes.into_inner())
    }

    fn picture(&mut self) -> Result<image::RgbaImage, ShotError> {
        let mut image = None;
        for frame in 1..=MOST_FRAMES {
            self.time_secs += 1.0 / 60.0;
            let points = egui::vec2(self.size[0] as f32, self.size[1] as f32);
            let mut input = egui::RawInput {
                time: Some(self.time_secs),
                screen_rect: Some(egui::Rect::from_min_size(
                    egui::Pos2::ZERO,
                    points / self.ctx.zoom_factor(),
                )),
                ..Default::default()
            };
            if let Some(viewport) = input.viewports.get_mut(&egui::ViewportId::ROOT) {
                viewport.native_pixels_per_point = Some(1.0);
            }
            let shell = &mut self.shell;
            let output = self.ctx.run_ui(input, |ui| shell.ui(ui));
            let ppp = output.pixels_per_point;
            let root = output.viewport_output.get(&egui::ViewportId::ROOT);
            let settled = root.is_none_or(|root| !root.repaint_delay.is_zero());
            image = Some(self.target.paint_page(
                &mut self.painter,
                &self.ctx,
                output,
                self.size,
                ppp,
            )?);
            if settled && frame >= FRAMES {
                break;
            }
        }
        image.ok_or_else(|| ShotError::Page("no frame was drawn".to_owned()))
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.shell.destroy();
        self.painter.destroy();
    }
}
