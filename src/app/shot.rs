//! Pages as pictures, without a window.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{LessonSet, Setting};
use bindpose_notebook::{Edit, OWN_RIG};
use bindpose_render::RenderError;
use bindpose_render::headless::HeadlessGl;

use super::handout::{OffscreenError, OffscreenShell};
use super::opening::{OpenFailure, open_file, page_fits};
use super::shell::ShellError;

/// Of a tour: in the name of a file, and whether it is dark.
const THEMES: [(&str, bool); 2] = [("light", false), ("dark", true)];

/// Which pages a tour goes to, and how they are shown.
#[derive(Clone, Debug)]
pub struct TourOptions {
    /// Lessons of these folders and courses; without any, the built-in ones.
    pub lessons: Vec<PathBuf>,
    /// A model to open first; only lessons that stand on it are drawn then.
    pub model: Option<PathBuf>,
    /// In pixels.
    pub size: [u32; 2],
    /// As the presenter mode shows them.
    pub present: bool,
    /// As they are after a touch.
    pub touch: bool,
    /// Only in the dark theme, or only in the light one; absent: in both.
    pub dark: Option<bool>,
}

/// In the place of a lesson: what the notebook opens with.
pub(super) const COVER: &str = "cover";

/// What to picture, and how.
#[derive(Clone, Debug)]
pub struct ShotOptions {
    /// Lessons of these folders and courses; without any, the built-in ones.
    pub lessons: Vec<PathBuf>,
    /// By number, slug or folder name; or `cover`.
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
    /// Show it as it is after a touch.
    pub touch: bool,
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
    /// Nothing to draw with, or not in that size.
    #[error(transparent)]
    OffscreenShell(#[from] OffscreenError),
    /// The model did not open.
    #[error(transparent)]
    Model(#[from] OpenFailure),
    /// There are no lessons, or not this one or this step.
    #[error(transparent)]
    Lessons(#[from] Diagnostic),
    /// The page does not go with the model, or a value was refused.
    #[error("{0}")]
    Page(String),
    /// What was drawn does not go into a PNG file.
    #[error("the picture could not be written as PNG: {0}")]
    Png(#[from] image::ImageError),
}

/// Draws one page; the bytes of a PNG file.
///
/// Errors: [`ShotError`].
pub fn shot(options: &ShotOptions) -> Result<Vec<u8>, ShotError> {
    let set = LessonSet::from_paths(&options.lessons)?;
    let of_cover = options.lesson == COVER;
    let page = match &*options.lesson {
        link if link.contains("://") => link.to_owned(),
        COVER => String::new(),
        lesson => set.page_link(lesson, options.step.as_deref())?,
    };
    let model = options.model.as_deref().map(|file| {
        page_fits(&set, &page).map_err(ShotError::Page)?;
        open_file(file).map_err(ShotError::Model)
    });
    let model = model.transpose()?;
    let gl = HeadlessGl::new()?;
    let mut offscreen =
        OffscreenShell::new(&gl.gl(), set, options.size, options.scale, options.dark)?;
    offscreen.stand_on(model.as_ref()).map_err(ShotError::Page)?;
    if of_cover {
        offscreen.shell.open_cover();
        offscreen.touched(options.touch);
        return png(&mut offscreen);
    }
    offscreen.shell.follow(&page).map_err(ShotError::Page)?;
    offscreen.shell.edit(&Edit::Settings(options.set.clone())).map_err(ShotError::Page)?;
    offscreen.check_content();
    offscreen.shell.present(options.present);
    offscreen.touched(options.touch);
    offscreen.shell.open_bench(options.bench);
    png(&mut offscreen)
}

fn png(offscreen: &mut OffscreenShell) -> Result<Vec<u8>, ShotError> {
    let mut bytes = Cursor::new(Vec::new());
    offscreen.picture()?.write_to(&mut bytes, image::ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

/// Every step of every lesson, light and dark.
pub struct Tour {
    set: LessonSet,
    size: [u32; 2],
    present: bool,
    touch: bool,
    /// Of [`THEMES`].
    themes: Vec<(&'static str, bool)>,
    own: Option<Arc<Rig>>,
    /// A link, and the name of a file without its theme.
    pages: Vec<(String, String)>,
}

impl Tour {
    /// With a model, of the lessons that stand on it.
    ///
    /// Errors: [`ShotError`].
    pub fn new(options: &TourOptions) -> Result<Self, ShotError> {
        let set = LessonSet::from_paths(&options.lessons)?;
        let own = options.model.as_deref().map(open_file).transpose()?;
        let shown = set.lessons.iter();
        let shown = shown.filter(|lesson| own.is_none() || lesson.rig == OWN_RIG);
        let pages = shown.flat_map(|lesson| {
            lesson.steps.iter().enumerate().map(|(index, step)| {
                let link = format!("bindpose://{}/{}", lesson.slug, step.slug);
                let name = format!("{}-{:02}-{}", lesson.site_folder(), index + 1, step.slug);
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
            touch: options.touch,
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
    /// Errors: see [`ShotError`]; and what `take` answers.
    pub fn draw<E: From<ShotError>>(
        &self,
        mut take: impl FnMut(Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let gl = HeadlessGl::new().map_err(ShotError::from)?;
        for &(_, dark) in &self.themes {
            let offscreen = OffscreenShell::new(&gl.gl(), self.set.clone(), self.size, 1.0, dark);
            let mut offscreen = offscreen.map_err(ShotError::from)?;
            offscreen.shell.present(self.present);
            offscreen.touched(self.touch);
            offscreen.stand_on(self.own.as_ref()).map_err(ShotError::Page)?;
            for (link, _) in &self.pages {
                offscreen.shell.follow(link).map_err(ShotError::Page)?;
                take(png(&mut offscreen)?)?;
            }
        }
        Ok(())
    }
}
