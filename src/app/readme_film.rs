//! The moving picture at the top of README: ten seconds of the bind-pose bug, on a page of
//! its own. `cargo xtask gallery` writes it.

use std::f64::consts::TAU;

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{LessonSet, Setting};
use bindpose_notebook::Edit;
use bindpose_notebook::export::{GifPalette, GifWriter};
use bindpose_render::headless::HeadlessGl;
use bindpose_skin::InverseBind;
use image::RgbaImage;

use super::handout::OffscreenShell;

const LESSON: &str = include_str!("../../docs/cells/bind-pose-bug.md");
/// In pixels.
const SIZE: [u32; 2] = [960, 600];
const FRAMES: u32 = 100;
/// From one to the next, in hundredths of a second.
const STEP_CS: u16 = 10;
/// One frame of so many goes into the palette.
const SAMPLED: usize = 12;
const AMPLITUDE_RAD: f64 = 0.6;

/// The bytes of a GIF file.
///
/// Fails when nothing can be drawn here.
pub(crate) fn readme_film() -> Result<Vec<u8>, Diagnostic> {
    let frames = frames().map_err(failed)?;
    let samples: Vec<RgbaImage> = frames.iter().step_by(SAMPLED).cloned().collect();
    let mut film = GifWriter::new(SIZE, GifPalette::from_frames(&samples)).map_err(failed)?;
    for frame in &frames {
        film.push(frame, STEP_CS).map_err(failed)?;
    }
    film.finish().map_err(failed)
}

fn failed(why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::said("FAILED", why.to_string())
}

fn frames() -> Result<Vec<RgbaImage>, String> {
    let set = LessonSet::from_memory(&[("10-bind-pose-bug", LESSON, "")], "");
    let gl = HeadlessGl::new().map_err(|error| error.to_string())?;
    let page = OffscreenShell::new(&gl.gl(), set, SIZE, 1.0, false);
    let mut page = page.map_err(|error| error.to_string())?;
    let frames = (0..FRAMES).map(|frame| {
        page.shell.edit(&Edit::Settings(settings(frame)))?;
        page.picture().map_err(|error| error.to_string())
    });
    frames.collect()
}

/// The head swings once without the inverse bind matrix, then once with it; before each it
/// stands still for a second.
fn settings(frame: u32) -> Vec<Setting> {
    let half = FRAMES / 2;
    let still = half / 5;
    let part = f64::from((frame % half).saturating_sub(still)) / f64::from(half - still);
    let inverse_bind = if frame < half { InverseBind::LeftOut } else { InverseBind::Inverse };
    let nod_rad = AMPLITUDE_RAD * (TAU * part).sin();
    vec![Setting::InverseBind(inverse_bind), Setting::Param("nod".to_owned(), nod_rad)]
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_notebook::check;

    use super::*;

    /// A page that begins with it must come on a slow line, too.
    const MOST_BYTES: u64 = 2_000_000;

    #[test]
    fn it_begins_and_ends_at_rest_and_its_lesson_is_sound() {
        let nod = |frame| match &settings(frame)[1] {
            Setting::Param(_, value) => *value,
            other => panic!("{other:?}"),
        };
        assert_eq!((nod(0), nod(FRAMES / 2)), (0.0, 0.0));
        assert!(nod(FRAMES - 1).abs() < 0.1);
        let set = LessonSet::from_memory(&[("10-bind-pose-bug", LESSON, "Notes.\n")], "");
        let findings = check::check(&set, &|id| builtin(id));
        let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(findings, Vec::<String>::new());
    }

    #[test]
    fn it_is_there_and_small() {
        let film = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/bind-pose-bug.gif");
        let size = std::fs::metadata(film).expect("run `cargo xtask gallery`").len();
        assert!(size < MOST_BYTES, "{size} bytes");
    }
}
