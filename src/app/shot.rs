//! Pages as pictures, without a window.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eframe::egui;
use eframe::egui_glow;

use super::opening::{Unopened, open_file, page_fits};
use super::shell::{Shell, ShellError, ShellOptions};
use crate::asset::Rig;
use crate::lesson::{LessonSet, Setting};
use crate::notebook::{Edit, OWN_RIG, Preferences};
use crate::render::RenderError;
use crate::render::headless::{HeadlessGl, PageTarget};

/// Frames drawn at least before a picture is taken: sizes and hovering settle.
const FRAMES: usize = 4;
/// Frames drawn at most, where the page asks for more: a page that always does
/// is pictured as it is then.
const MOST_FRAMES: usize = 120;

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
    /// The lesson or step is not there, or a value was refused.
    #[error("{0}")]
    Page(String),
    /// A size or scale that makes no picture.
    #[error("{0}")]
    Size(String),
    /// The file could not be written.
    #[error("{}: {why}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// What the system or the encoder said.
        why: String,
    },
}

/// Draws one page into a PNG file.
///
/// # Errors
/// See [`ShotError`].
pub fn shot(options: &ShotOptions, out: &Path) -> Result<(), ShotError> {
    let set = lessons(options.lessons.as_deref());
    let page = if options.lesson.contains("://") {
        options.lesson.clone()
    } else {
        set.page_link(&options.lesson, options.step.as_deref())
            .map_err(|error| ShotError::Page(error.to_string()))?
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
    let image = studio.picture()?;
    save(&image, out)
}

/// Draws every step of every lesson into `folder`, light and dark, telling the
/// progress to `progress`. With a model, of the lessons that stand on it.
///
/// # Errors
/// See [`ShotError`].
pub fn tour(
    lessons_from: Option<&Path>,
    model: Option<&Path>,
    folder: &Path,
    progress: &mut dyn Write,
) -> Result<usize, ShotError> {
    let set = lessons(lessons_from);
    let own = model.map(open_file).transpose()?;
    let pages: Vec<(String, String)> = set
        .lessons
        .iter()
        .filter(|lesson| own.is_none() || lesson.rig == OWN_RIG)
        .flat_map(|lesson| {
            lesson.steps.iter().enumerate().map(|(index, step)| {
                let link = format!("bindpose://{}/{}", lesson.slug, step.slug);
                let name = format!("{}-{:02}-{}", lesson.folder, index + 1, step.slug);
                (link, name)
            })
        })
        .collect();
    std::fs::create_dir_all(folder).map_err(|error| ShotError::File {
        file: folder.to_owned(),
        why: error.to_string(),
    })?;
    let gl = HeadlessGl::new()?;
    let total = pages.len() * 2;
    let mut done = 0;
    for (theme, dark) in [("light", false), ("dark", true)] {
        let mut studio = Studio::new(&gl, set.clone(), [1440, 900], 1.0, dark)?;
        studio.stand_on(own.as_ref())?;
        for (link, name) in &pages {
            studio.shell.follow(link).map_err(ShotError::Page)?;
            let image = studio.picture()?;
            let file = folder.join(format!("{name}-{theme}.png"));
            save(&image, &file)?;
            done += 1;
            // A closed stderr is no reason to stop.
            let _ = writeln!(progress, "{done:3}/{total} {}", file.display());
        }
    }
    Ok(done)
}

fn lessons(folder: Option<&Path>) -> LessonSet {
    folder.map_or_else(LessonSet::embedded, LessonSet::from_dir)
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
        let painter = egui_glow::Painter::new(gl.gl(), "", None, false)
            .map_err(|error| ShotError::Size(error.to_string()))?;
        let ctx = egui::Context::default();
        let preferences = Preferences {
            dark: Some(dark),
            zoom: scale,
            ..Preferences::default()
        };
        let shell = Shell::new(&ctx, Some(gl.gl()), ShellOptions { set, preferences })?;
        Ok(Self {
            shell,
            ctx,
            painter,
            target: PageTarget::new(gl.gl())?,
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

fn save(image: &image::RgbaImage, file: &Path) -> Result<(), ShotError> {
    let wrong = |why: String| ShotError::File {
        file: file.to_owned(),
        why,
    };
    if let Some(folder) = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder).map_err(|error| wrong(error.to_string()))?;
    }
    image
        .save_with_format(file, image::ImageFormat::Png)
        .map_err(|error| wrong(error.to_string()))
}
