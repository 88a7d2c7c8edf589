//! Writes `docs/cells.md`, which documents every kind of cell with its keys, its smallest example
//! from `docs/cells/examples.toml`, and its picture. Draws the pictures of README too. `cargo
//! xtask gallery` writes all of them.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt::Write as _;

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{CourseFiles, LessonSet, SchemaPart, Setting, find_page, written_parts};
use bindpose_notebook::Edit;
use bindpose_notebook::export::{GifPalette, GifWriter};
use bindpose_paper::handout::{PictureRequest, PictureSubject};
use bindpose_render::headless::HeadlessGl;
use bindpose_skin::InverseBind;
use image::{RgbImage, RgbaImage};
use serde::Deserialize;
use serde_json::Value;

use super::shot::{ShotOptions, shot};
use crate::app::handout::{OffscreenShell, make_stills};

const EXAMPLES: &str = include_str!("../../../../docs/cells/examples.toml");
/// Name and content of the picture in examples.
const EXAMPLE_PICTURE: (&str, &[u8]) =
    ("finger.png", include_bytes!("../../../../docs/cells/finger.png"));

/// Width of a picture.
const WIDTH_PTS: u32 = 560;
/// Height of the picture of a viewport. Other cells have their own.
const VIEWPORT_HEIGHT_PTS: u32 = 320;

/// The step of README's still picture.
const PAGE_LESSON: &str = "whale";
const PAGE_STEP: &str = "one-vertex-four-joints";
const PAGE_SIZE_PX: [u32; 2] = [1440, 900];
/// Keyword of the PNG text that describes the step of the picture.
const PAGE_KEYWORD: &str = "Description";

/// The lesson of README's film.
const FILM_LESSON: &str = include_str!("../../../../docs/cells/bind-pose-bug.md");
const FILM_SIZE_PX: [u32; 2] = [960, 600];
const FILM_FRAME_COUNT: u32 = 100;
/// Duration of a frame, in hundredths of a second.
const FRAME_CS: u16 = 10;
/// The palette is computed from every twelfth frame.
const PALETTE_SAMPLE_INTERVAL: usize = 12;
const AMPLITUDE_RAD: f64 = 0.6;

const HEAD: &str = "# All cells\n\n\
    What a lesson is made of beside its prose: live cells, each a fenced block. \
    [lesson-format.md](lesson-format.md) says how a lesson is written; this page has every \
    kind with its keys, the smallest example and what that looks like. All keys may be left \
    out but those marked *required*. `cargo xtask gallery` writes the page.\n";

/// Formats the page as Markdown.
///
/// # Errors
///
/// A diagnostic if an example is missing or cannot be parsed.
pub(crate) fn gallery_text() -> Result<String, Diagnostic> {
    let examples = cell_examples()?;
    let parts = written_parts();
    let mut text = HEAD.to_owned();
    let links: Vec<String> =
        cell_parts(&parts).map(|part| format!("[{0}](#{0})", part.name)).collect();
    let _ = writeln!(text, "\n{}", links.join(" · "));
    for part in cell_parts(&parts) {
        let name = part.name;
        let example = examples.get(name).ok_or_else(|| {
            Diagnostic::said("EXAMPLES", format!("the cell `{name}` has no example"))
                .help(format!("write [{name}] into docs/cells/examples.toml"))
        })?;
        let _ = writeln!(text, "\n## {name}\n\n{}\n", part.about);
        let _ = writeln!(text, "````markdown\n{}````\n", example.fenced(name));
        let _ = writeln!(text, "![{name}, on the rig {}](cells/{name}.png)\n", example.rig);
        text.push_str("| key | is |\n| --- | --- |\n");
        for (key, schema) in part.keys() {
            let required = if part.requires(key) { "*required*: " } else { "" };
            let description = schema.get("description").and_then(Value::as_str);
            let about = description.unwrap_or_default().replace('|', "\\|");
            let names = describe_allowed_names(schema);
            let _ = writeln!(text, "| `{key}` | {required}{about}{names} |");
        }
    }
    Ok(text)
}

/// Draws the pictures of all kinds of cells as PNG files, by kind.
///
/// # Errors
///
/// A diagnostic if pictures cannot be drawn on this system.
pub(crate) fn gallery_pictures() -> Result<Vec<(String, Vec<u8>)>, Diagnostic> {
    let examples = cell_examples()?;
    let parts = written_parts();
    let mut kinds: Vec<&str> = Vec::new();
    let mut texts: Vec<(String, String)> = Vec::new();
    for part in cell_parts(&parts) {
        if let Some(example) = examples.get(part.name) {
            kinds.push(part.name);
            texts.push((format!("10-{}", part.name), example.lesson(part.name)));
        }
    }
    let lessons: Vec<(&str, &str, &str)> =
        texts.iter().map(|(folder, lesson)| (&**folder, &**lesson, "")).collect();
    let set = example_set(&lessons);
    let gl = HeadlessGl::new().map_err(failed)?;
    let mut stills = make_stills(&gl.gl(), set, None).map_err(failed)?;
    let mut pictures = Vec::new();
    for kind in kinds {
        let is_viewport = matches!(kind, "viewport" | "compare");
        let picture = stills.draw(&PictureRequest {
            lesson: kind.to_owned(),
            part: PictureSubject::Cell { step: "example".to_owned(), cell: "example".to_owned() },
            width: WIDTH_PTS,
            height: is_viewport.then_some(VIEWPORT_HEIGHT_PTS),
        });
        pictures.push((kind.to_owned(), picture.map_err(failed)?.png));
    }
    Ok(pictures)
}

fn cell_parts(parts: &[SchemaPart]) -> impl Iterator<Item = &SchemaPart> {
    parts.iter().filter(|part| part.is_cell())
}

/// Lists the names that a key accepts, one or several of which are given.
fn describe_allowed_names(schema: &Value) -> String {
    let (intro, names) = match (enum_names(schema), schema.get("items").and_then(enum_names)) {
        (Some(names), _) => ("One of", names),
        (None, Some(names)) => ("Any of", names),
        (None, None) => return String::new(),
    };
    let names: Vec<String> =
        names.iter().filter_map(Value::as_str).map(|name| format!("`{name}`")).collect();
    format!(" {intro} {}.", names.join(", "))
}

fn enum_names(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("enum").and_then(Value::as_array)
}

/// Draws README's still picture, a step with the bench open, as a PNG file. Its
/// [`PAGE_KEYWORD`] text is [`page_description`], so that a test can detect an outdated picture.
///
/// # Errors
///
/// A diagnostic if pictures cannot be drawn on this system.
pub(crate) fn readme_page() -> Result<Vec<u8>, Diagnostic> {
    let png = shot(&ShotOptions {
        lessons: Vec::new(),
        lesson: PAGE_LESSON.to_owned(),
        step: Some(PAGE_STEP.to_owned()),
        model: None,
        set: Vec::new(),
        size: PAGE_SIZE_PX,
        dark: false,
        scale: 1.0,
        present: false,
        touch: false,
        bench: true,
    });
    let pixels = image::load_from_memory(&png.map_err(failed)?).map_err(failed)?.to_rgb8();
    let description = page_description(&LessonSet::embedded())?;
    encode_with_description(&pixels, description).map_err(failed)
}

fn encode_with_description(
    pixels: &RgbImage,
    description: String,
) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.add_itxt_chunk(PAGE_KEYWORD.to_owned(), description)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// Describes the step of README's still picture, numbered as in its heading.
fn page_description(set: &LessonSet) -> Result<String, Diagnostic> {
    let (lesson_index, step_index) = find_page(&set.lessons, PAGE_LESSON, Some(PAGE_STEP))?;
    let lesson = &set.lessons[lesson_index];
    Ok(format!(
        "Lesson {}, {}, step {} of {}: {}",
        lesson.number,
        lesson.title,
        step_index + 1,
        lesson.steps.len(),
        lesson.steps[step_index].title
    ))
}

/// Draws a GIF file of ten seconds of the bind-pose bug, on a page of its own.
///
/// # Errors
///
/// A diagnostic if pictures cannot be drawn on this system.
pub(crate) fn readme_film() -> Result<Vec<u8>, Diagnostic> {
    let frames = draw_film_frames().map_err(failed)?;
    let samples: Vec<RgbaImage> = frames.iter().step_by(PALETTE_SAMPLE_INTERVAL).cloned().collect();
    let mut film =
        GifWriter::new(FILM_SIZE_PX, GifPalette::from_frames(&samples)).map_err(failed)?;
    for frame in &frames {
        film.push(frame, FRAME_CS).map_err(failed)?;
    }
    film.finish().map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::said("FAILED", error.to_string())
}

fn draw_film_frames() -> Result<Vec<RgbaImage>, String> {
    let set = LessonSet::from_memory(&[("10-bind-pose-bug", FILM_LESSON, "")], "");
    let gl = HeadlessGl::new().map_err(|error| error.to_string())?;
    let mut page = OffscreenShell::new(&gl.gl(), set, FILM_SIZE_PX, 1.0, false)
        .map_err(|error| error.to_string())?;
    let mut frames = Vec::new();
    for frame in 0..FILM_FRAME_COUNT {
        page.shell.edit(&Edit::Settings(film_settings(frame)))?;
        frames.push(page.draw_page().map_err(|error| error.to_string())?);
    }
    Ok(frames)
}

/// Returns the settings of a frame. The head swings once without the inverse bind matrix, then
/// once with it, and rests for a second before each swing.
fn film_settings(frame: u32) -> Vec<Setting> {
    let half = FILM_FRAME_COUNT / 2;
    let rest_frames = half / 5;
    let swing_frame = (frame % half).saturating_sub(rest_frames);
    let phase = f64::from(swing_frame) / f64::from(half - rest_frames);
    let inverse_bind = if frame < half { InverseBind::LeftOut } else { InverseBind::Inverse };
    let nod_rad = AMPLITUDE_RAD * (TAU * phase).sin();
    vec![Setting::InverseBind(inverse_bind), Setting::Param("nod".to_owned(), nod_rad)]
}

/// Example of a kind of cell.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::app) struct CellExample {
    /// The rig of its lesson.
    pub(in crate::app) rig: String,
    /// Further lines of the front matter.
    #[serde(default)]
    pub(in crate::app) front: String,
    /// Settings of its step.
    #[serde(default)]
    pub(in crate::app) set: String,
    /// Prose before the cell.
    #[serde(default = "default_text")]
    pub(in crate::app) text: String,
    /// TOML between the lines of the fence.
    pub(in crate::app) body: String,
}

fn default_text() -> String {
    "An example.".to_owned()
}

/// Parses all examples, by kind. `set`, which is no cell, has one too.
///
/// # Errors
///
/// A diagnostic if the file is invalid, which a test would find.
pub(in crate::app) fn cell_examples() -> Result<BTreeMap<String, CellExample>, Diagnostic> {
    toml::from_str(EXAMPLES).map_err(|error| {
        let title = format!("docs/cells/examples.toml: {error}");
        Diagnostic::said("EXAMPLES", title).help("correct the file")
    })
}

/// Makes lessons of examples, given by folder, text and notes, with the files that examples use.
pub(in crate::app) fn example_set(lessons: &[(&str, &str, &str)]) -> LessonSet {
    let (name, bytes) = EXAMPLE_PICTURE;
    let files = lessons.iter().map(|(folder, ..)| (format!("{folder}/{name}"), bytes.into()));
    LessonSet::from_memory_with(lessons, "", CourseFiles::in_memory(files.collect()))
}

impl CellExample {
    /// Formats the cell as in a lesson.
    pub(in crate::app) fn fenced(&self, kind: &str) -> String {
        format!("```{kind}\n{}```\n", self.body)
    }

    /// Formats a `lesson.md` with only this cell, whose id is `example`.
    pub(in crate::app) fn lesson(&self, kind: &str) -> String {
        let Self { rig, front, text, body, .. } = self;
        let settings = if kind == "set" { body } else { &self.set };
        let set_block = match settings.trim_end() {
            "" => String::new(),
            settings => format!("```set\n{settings}\n```\n\n"),
        };
        let picture = match kind {
            "viewport" => "",
            _ => "```viewport picture\n```\n\n",
        };
        let example = match kind {
            "set" => String::new(),
            _ => format!("```{kind} example\n{body}```\n"),
        };
        format!(
            "+++\ntitle = \"{kind}\"\nminutes = 1\nrig = \"{rig}\"\n{front}+++\n\n{picture}\
             ## Example\n\n{set_block}{text}\n\n{example}"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use bindpose_check::check_lessons;
    use bindpose_rigs::builtin;

    use super::*;

    const MAX_PICTURE_BYTES: u64 = 60_000;
    /// Maximum size of the film, which must load on a slow connection too.
    const MAX_FILM_BYTES: u64 = 2_000_000;

    #[test]
    fn page_of_all_cells_is_up_to_date() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let current = fs::read_to_string(docs.join("cells.md")).unwrap_or_default();
        assert!(
            current == gallery_text().expect("a page"),
            "docs/cells.md is not what the cells are now: run `cargo xtask gallery`"
        );
        let parts = written_parts();
        let kinds: BTreeSet<String> = cell_parts(&parts).map(|part| part.name.to_owned()).collect();
        let mut pictures: BTreeSet<String> = BTreeSet::new();
        for entry in fs::read_dir(docs.join("cells")).expect("a folder").filter_map(Result::ok) {
            if let Ok(name) = entry.file_name().into_string()
                && let Some(kind) = name.strip_suffix(".png")
                && name != EXAMPLE_PICTURE.0
            {
                pictures.insert(kind.to_owned());
            }
        }
        assert_eq!(pictures, kinds, "one picture for each kind: run `cargo xtask gallery`");
        for kind in kinds {
            let picture = docs.join(format!("cells/{kind}.png"));
            let size = fs::metadata(&picture).expect("a picture").len();
            assert!(size < MAX_PICTURE_BYTES, "{kind}: {size} bytes");
        }
    }

    #[test]
    fn readme_picture_is_up_to_date() {
        let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/notebook.png");
        let file = std::io::BufReader::new(fs::File::open(picture).expect("a picture"));
        let reader = png::Decoder::new(file).read_info().expect("a PNG file");
        let description = reader
            .info()
            .utf8_text
            .iter()
            .find(|text| text.keyword == PAGE_KEYWORD)
            .and_then(|text| text.get_text().ok())
            .unwrap_or_default();
        let current = page_description(&LessonSet::embedded()).expect("a step");
        assert_eq!(
            description, current,
            "docs/notebook.png is out of date: run `cargo xtask gallery`"
        );
    }

    #[test]
    fn every_kind_has_an_example_without_findings() {
        let examples = cell_examples().expect("examples");
        let parts = written_parts();
        let kinds: Vec<&str> =
            parts.iter().filter(|part| part.is_fenced).map(|part| part.name).collect();
        for kind in &kinds {
            assert!(
                examples.contains_key(*kind),
                "write [{kind}] with rig and body into docs/cells/examples.toml, then run \
                 `cargo xtask gallery`"
            );
        }
        for (kind, example) in &examples {
            assert!(kinds.contains(&&**kind), "there is no kind `{kind}`");
            let lesson = example.lesson(kind);
            let lesson = [("10-example", &*lesson, "Notes.\n")];
            let set = example_set(&lesson);
            let findings = check_lessons(&set, &|id| builtin(id));
            // A lesson in memory has no glossary.
            let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
            assert_eq!(findings, Vec::<String>::new(), "{kind}:\n{lesson:?}");
        }
    }

    fn nod_rad(frame: u32) -> f64 {
        match &film_settings(frame)[1] {
            Setting::Param(_, value) => *value,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn film_starts_and_ends_at_rest_and_its_lesson_is_sound() {
        assert_eq!((nod_rad(0), nod_rad(FILM_FRAME_COUNT / 2)), (0.0, 0.0));
        assert!(nod_rad(FILM_FRAME_COUNT - 1).abs() < 0.1);
        let set = LessonSet::from_memory(&[("10-bind-pose-bug", FILM_LESSON, "Notes.\n")], "");
        let findings = check_lessons(&set, &|id| builtin(id));
        let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(findings, Vec::<String>::new());
    }

    #[test]
    fn film_exists_and_is_small() {
        let film = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/bind-pose-bug.gif");
        let size = fs::metadata(film).expect("run `cargo xtask gallery`").len();
        assert!(size < MAX_FILM_BYTES, "{size} bytes");
    }
}
