//! Draws pages into PNG files, without a window.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::Rig;
use bindpose_lesson::{LessonSet, Setting};
use bindpose_notebook::{Edit, OWN_RIG};
use bindpose_render::RenderError;
use bindpose_render::headless::HeadlessGl;
use image::RgbaImage;

use super::model_page::check_page_uses_own_model;
use super::read_files::open_file;
use crate::app::handout::{OffscreenError, OffscreenShell};
use crate::app::opening::OpenFailure;
use crate::app::shell::ShellError;

/// A theme of a tour.
#[derive(Clone, Copy)]
struct TourTheme {
    /// Name in file names.
    name: &'static str,
    is_dark: bool,
}

const THEMES: [TourTheme; 2] =
    [TourTheme { name: "light", is_dark: false }, TourTheme { name: "dark", is_dark: true }];

/// Pages of a tour, and how they are drawn.
#[derive(Clone, Debug)]
pub struct TourOptions {
    /// Folders of lessons and courses. The built-in lessons if empty.
    pub lessons: Vec<PathBuf>,
    /// A model to open first. Limits the tour to lessons on the reader's own rig.
    pub model: Option<PathBuf>,
    /// Size in pixels.
    pub size: [u32; 2],
    /// Whether pages are drawn as in the presenter mode.
    pub present: bool,
    /// Whether pages are drawn as after a touch.
    pub touch: bool,
    /// Whether the only theme is dark. `None` for both themes.
    pub dark: Option<bool>,
}

/// Name of the cover in place of a lesson.
pub(super) const COVER: &str = "cover";

/// The page of a picture, and how it is drawn.
#[derive(Clone, Debug)]
pub struct ShotOptions {
    /// Folders of lessons and courses. The built-in lessons if empty.
    pub lessons: Vec<PathBuf>,
    /// Lesson by number, slug or folder name, or `cover`.
    pub lesson: String,
    /// Step by slug, or by number from 1. The first one if `None`.
    pub step: Option<String>,
    /// A model to open first, for a page on the reader's own rig.
    pub model: Option<PathBuf>,
    /// Values to set first.
    pub set: Vec<Setting>,
    /// Size in pixels.
    pub size: [u32; 2],
    /// Whether the theme is dark.
    pub dark: bool,
    /// Pixels per point. 2 shows everything twice as large.
    pub scale: f32,
    /// Whether the page is drawn as in the presenter mode.
    pub present: bool,
    /// Whether the page is drawn as after a touch.
    pub touch: bool,
    /// Whether the bench is open.
    pub bench: bool,
}

/// The reason why a page was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum ShotError {
    /// Headless GL is unavailable.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The notebook could not be opened.
    #[error(transparent)]
    Shell(#[from] ShellError),
    /// The page could not be drawn, or not in this size.
    #[error(transparent)]
    OffscreenShell(#[from] OffscreenError),
    /// The model could not be opened.
    #[error(transparent)]
    Model(#[from] OpenFailure),
    /// The lessons are missing, or they lack this lesson or step.
    #[error(transparent)]
    Lessons(#[from] Diagnostic),
    /// The page does not match the model, or a value was rejected.
    #[error("{0}")]
    Page(String),
    /// The image could not be encoded.
    #[error("the picture could not be written as PNG: {0}")]
    Png(#[from] image::ImageError),
}

/// Draws one page as a PNG file.
///
/// # Errors
///
/// A [`ShotError`] if a file cannot be opened or the page cannot be drawn.
pub fn shot(options: &ShotOptions) -> Result<Vec<u8>, ShotError> {
    let set = LessonSet::from_paths(&options.lessons)?;
    let is_cover = options.lesson == COVER;
    let link = match &*options.lesson {
        link if link.contains("://") => link.to_owned(),
        COVER => String::new(),
        lesson => set.page_link(lesson, options.step.as_deref())?,
    };
    let model = match &options.model {
        Some(file) => {
            check_page_uses_own_model(&set, &link).map_err(ShotError::Page)?;
            Some(open_file(file)?)
        }
        None => None,
    };
    let gl = HeadlessGl::new()?;
    let mut offscreen =
        OffscreenShell::new(&gl.gl(), set, options.size, options.scale, options.dark)?;
    offscreen.open_model(model.as_ref()).map_err(ShotError::Page)?;
    if is_cover {
        offscreen.shell.open_cover();
        offscreen.set_touched(options.touch);
        return page_png(&mut offscreen);
    }
    offscreen.shell.open_link(&link).map_err(ShotError::Page)?;
    offscreen.shell.edit(&Edit::Settings(options.set.clone())).map_err(ShotError::Page)?;
    offscreen.check_content();
    offscreen.shell.set_presenting_without_window(options.present);
    offscreen.set_touched(options.touch);
    offscreen.shell.open_bench(options.bench);
    page_png(&mut offscreen)
}

impl OffscreenShell {
    /// Sets whether the page is drawn as after a touch.
    fn set_touched(&mut self, is_touched: bool) {
        self.is_touched = is_touched;
    }

    /// Runs the content check, whose findings lessons of a folder show.
    fn check_content(&mut self) {
        self.shell.check_content_now(&self.ctx);
    }

    pub(super) fn draw_page(&mut self) -> Result<RgbaImage, OffscreenError> {
        Ok(self.draw(|shell, ui| shell.ui(ui))?.image)
    }
}

fn page_png(offscreen: &mut OffscreenShell) -> Result<Vec<u8>, ShotError> {
    let mut bytes = Cursor::new(Vec::new());
    offscreen.draw_page()?.write_to(&mut bytes, image::ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

/// Draws every step of every lesson, in the light and the dark theme.
pub struct Tour {
    set: LessonSet,
    size: [u32; 2],
    present: bool,
    touch: bool,
    themes: Vec<TourTheme>,
    own_rig: Option<Arc<Rig>>,
    pages: Vec<TourPage>,
}

struct TourPage {
    link: String,
    /// File name without theme and extension.
    name: String,
}

impl Tour {
    /// Lists the pages of a tour. With a model, only those of lessons on the reader's own rig.
    ///
    /// # Errors
    ///
    /// A [`ShotError`] if the lessons or the model cannot be opened.
    pub fn new(options: &TourOptions) -> Result<Self, ShotError> {
        let set = LessonSet::from_paths(&options.lessons)?;
        let own_rig = options.model.as_deref().map(open_file).transpose()?;
        let mut pages = Vec::new();
        for lesson in &set.lessons {
            if own_rig.is_some() && lesson.rig != OWN_RIG {
                continue;
            }
            for (index, step) in lesson.steps.iter().enumerate() {
                pages.push(TourPage {
                    link: format!("bindpose://{}/{}", lesson.slug, step.slug),
                    name: format!("{}-{:02}-{}", lesson.site_folder(), index + 1, step.slug),
                });
            }
        }
        let mut themes = THEMES.to_vec();
        themes.retain(|theme| options.dark.is_none_or(|dark| dark == theme.is_dark));
        Ok(Self {
            set,
            size: options.size,
            present: options.present,
            touch: options.touch,
            themes,
            own_rig,
            pages,
        })
    }

    /// Returns the file names of all pictures, in drawing order.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.themes.iter().flat_map(|theme| {
            self.pages.iter().map(move |page| format!("{}-{}.png", page.name, theme.name))
        })
    }

    /// Draws all pictures, and passes each PNG file to `receive` in the order of the names.
    ///
    /// # Errors
    ///
    /// A [`ShotError`] if a page cannot be drawn, or the error of `receive`.
    pub fn draw<E: From<ShotError>>(
        &self,
        mut receive: impl FnMut(Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let gl = HeadlessGl::new().map_err(ShotError::from)?;
        for theme in &self.themes {
            let set = self.set.clone();
            let mut offscreen = OffscreenShell::new(&gl.gl(), set, self.size, 1.0, theme.is_dark)
                .map_err(ShotError::from)?;
            offscreen.shell.set_presenting_without_window(self.present);
            offscreen.set_touched(self.touch);
            offscreen.open_model(self.own_rig.as_ref()).map_err(ShotError::Page)?;
            for page in &self.pages {
                offscreen.shell.open_link(&page.link).map_err(ShotError::Page)?;
                receive(page_png(&mut offscreen)?)?;
            }
        }
        Ok(())
    }
}
