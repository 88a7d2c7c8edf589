//! Every kind of cell with what it is, its keys, its smallest example, as
//! `docs/cells/examples.toml` has it, and its picture: `docs/cells.md`; and the pictures of
//! README. `cargo xtask gallery` writes all of them.

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

use super::handout::{OffscreenShell, make_stills};
use super::shot::{ShotOptions, shot};

const EXAMPLES: &str = include_str!("../../docs/cells/examples.toml");
/// What examples with a picture show.
const PICTURE: (&str, &[u8]) = ("finger.png", include_bytes!("../../docs/cells/finger.png"));

/// Points of a picture.
const WIDTH: u32 = 560;
const HEIGHT: u32 = 320;

/// The step of README's still picture, and its size in pixels.
const PAGE_LESSON: &str = "whale";
const PAGE_STEP: &str = "one-vertex-four-joints";
const PAGE_SIZE: [u32; 2] = [1440, 900];
/// Keyword of the PNG text that says which step a picture shows.
const PAGE_KEYWORD: &str = "Description";

/// The page that the moving picture is made of.
const FILM_LESSON: &str = include_str!("../../docs/cells/bind-pose-bug.md");
/// Of the moving picture, in pixels.
const FILM_SIZE: [u32; 2] = [960, 600];
const FILM_FRAMES: u32 = 100;
/// From one to the next, in hundredths of a second.
const FRAME_CS: u16 = 10;
/// One frame of so many goes into the palette.
const SAMPLED: usize = 12;
const AMPLITUDE_RAD: f64 = 0.6;

const HEAD: &str = "# All cells\n\n\
    What a lesson is made of beside its prose: live cells, each a fenced block. \
    [lesson-format.md](lesson-format.md) says how a lesson is written; this page has every \
    kind with its keys, the smallest example and what that looks like. All keys may be left \
    out but those marked *required*. `cargo xtask gallery` writes the page.\n";

/// The page, in Markdown.
///
/// Fails when an example is missing or cannot be read.
pub(crate) fn gallery_text() -> Result<String, Diagnostic> {
    let examples = cell_examples()?;
    let parts = written_parts();
    let cells: Vec<&SchemaPart> = cells(&parts).collect();
    let mut text = HEAD.to_owned();
    let names: Vec<String> = cells.iter().map(|part| format!("[{0}](#{0})", part.name)).collect();
    let _ = writeln!(text, "\n{}", names.join(" · "));
    for part in cells {
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
            let about = schema.get("description").and_then(Value::as_str);
            let about = about.unwrap_or_default().replace('|', "\\|");
            let _ = writeln!(text, "| `{key}` | {required}{about}{} |", names_in_words(schema));
        }
    }
    Ok(text)
}

/// The pictures of all kinds, as PNG files, by kind.
///
/// Fails when nothing can be drawn here.
pub(crate) fn gallery_pictures() -> Result<Vec<(String, Vec<u8>)>, Diagnostic> {
    let examples = cell_examples()?;
    let parts = written_parts();
    let shown: Vec<(&str, &CellExample)> =
        cells(&parts).filter_map(|part| Some((part.name, examples.get(part.name)?))).collect();
    let texts: Vec<(String, String)> =
        shown.iter().map(|(kind, example)| (format!("10-{kind}"), example.lesson(kind))).collect();
    let lessons: Vec<(&str, &str, &str)> =
        texts.iter().map(|(folder, lesson)| (&**folder, &**lesson, "")).collect();
    let set = example_set(&lessons);
    let gl = HeadlessGl::new().map_err(failed)?;
    let mut stills = make_stills(&gl.gl(), set, None).map_err(failed)?;
    let drawn = shown.into_iter().map(|(kind, _)| {
        let is_picture = matches!(kind, "viewport" | "compare");
        let picture = stills.draw(&PictureRequest {
            lesson: kind.to_owned(),
            part: PictureSubject::Cell { step: "example".to_owned(), cell: "example".to_owned() },
            width: WIDTH,
            height: is_picture.then_some(HEIGHT),
        });
        Ok((kind.to_owned(), picture.map_err(failed)?.png))
    });
    drawn.collect()
}

fn cells(parts: &[SchemaPart]) -> impl Iterator<Item = &SchemaPart> {
    parts.iter().filter(|part| part.is_cell())
}

/// The names that a key takes, one or several of them.
fn names_in_words(schema: &Value) -> String {
    let of = |schema: &Value| schema.get("enum").and_then(Value::as_array).cloned();
    let (names, words) = match (of(schema), schema.get("items").and_then(of)) {
        (Some(names), _) => (names, "One of"),
        (None, Some(names)) => (names, "Any of"),
        (None, None) => return String::new(),
    };
    let names: Vec<String> =
        names.iter().filter_map(Value::as_str).map(|name| format!("`{name}`")).collect();
    format!(" {words} {}.", names.join(", "))
}

/// Draws README's still picture, a step with the bench open, as a PNG file. Its
/// [`PAGE_KEYWORD`] text is [`page_description`], by which a test sees that it is out of date.
///
/// Fails when nothing can be drawn here.
pub(crate) fn readme_page() -> Result<Vec<u8>, Diagnostic> {
    let png = shot(&ShotOptions {
        lessons: Vec::new(),
        lesson: PAGE_LESSON.to_owned(),
        step: Some(PAGE_STEP.to_owned()),
        model: None,
        set: Vec::new(),
        size: PAGE_SIZE,
        dark: false,
        scale: 1.0,
        present: false,
        touch: false,
        bench: true,
    });
    let pixels = image::load_from_memory(&png.map_err(failed)?).map_err(failed)?.to_rgb8();
    let description = page_description(&LessonSet::embedded())?;
    with_description(&pixels, description).map_err(failed)
}

fn with_description(pixels: &RgbImage, description: String) -> Result<Vec<u8>, png::EncodingError> {
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

/// Describes the step of README's still picture, as its heading counts it.
fn page_description(set: &LessonSet) -> Result<String, Diagnostic> {
    let (lesson, step) = find_page(&set.lessons, PAGE_LESSON, Some(PAGE_STEP))?;
    let lesson = &set.lessons[lesson];
    Ok(format!(
        "Lesson {}, {}, step {} of {}: {}",
        lesson.number,
        lesson.title,
        step + 1,
        lesson.steps.len(),
        lesson.steps[step].title
    ))
}

/// The bytes of a GIF file: ten seconds of the bind-pose bug, on a page of its own.
///
/// Fails when nothing can be drawn here.
pub(crate) fn readme_film() -> Result<Vec<u8>, Diagnostic> {
    let frames = film_frames().map_err(failed)?;
    let samples: Vec<RgbaImage> = frames.iter().step_by(SAMPLED).cloned().collect();
    let mut film = GifWriter::new(FILM_SIZE, GifPalette::from_frames(&samples)).map_err(failed)?;
    for frame in &frames {
        film.push(frame, FRAME_CS).map_err(failed)?;
    }
    film.finish().map_err(failed)
}

fn failed(why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::said("FAILED", why.to_string())
}

fn film_frames() -> Result<Vec<RgbaImage>, String> {
    let set = LessonSet::from_memory(&[("10-bind-pose-bug", FILM_LESSON, "")], "");
    let gl = HeadlessGl::new().map_err(|error| error.to_string())?;
    let page = OffscreenShell::new(&gl.gl(), set, FILM_SIZE, 1.0, false);
    let mut page = page.map_err(|error| error.to_string())?;
    let frames = (0..FILM_FRAMES).map(|frame| {
        page.shell.edit(&Edit::Settings(film_settings(frame)))?;
        page.picture().map_err(|error| error.to_string())
    });
    frames.collect()
}

/// The head swings once without the inverse bind matrix, then once with it; before each it
/// stands still for a second.
fn film_settings(frame: u32) -> Vec<Setting> {
    let half = FILM_FRAMES / 2;
    let still = half / 5;
    let part = f64::from((frame % half).saturating_sub(still)) / f64::from(half - still);
    let inverse_bind = if frame < half { InverseBind::LeftOut } else { InverseBind::Inverse };
    let nod_rad = AMPLITUDE_RAD * (TAU * part).sin();
    vec![Setting::InverseBind(inverse_bind), Setting::Param("nod".to_owned(), nod_rad)]
}

/// An example of one kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CellExample {
    /// What it stands on.
    pub(super) rig: String,
    /// More for the front matter of its lesson.
    #[serde(default)]
    pub(super) front: String,
    /// What its step sets.
    #[serde(default)]
    pub(super) set: String,
    /// The prose before it; absent: a few words.
    #[serde(default = "words")]
    pub(super) text: String,
    /// TOML between the lines of the fence.
    pub(super) body: String,
}

fn words() -> String {
    "An example.".to_owned()
}

/// All examples, by kind; `set` is one.
///
/// Fails when the file is not as it should be, which a test would find.
pub(super) fn cell_examples() -> Result<BTreeMap<String, CellExample>, Diagnostic> {
    toml::from_str(EXAMPLES).map_err(|error| {
        let title = format!("docs/cells/examples.toml: {error}");
        Diagnostic::said("EXAMPLES", title).help("correct the file")
    })
}

/// Lessons made of examples: folder, text and notes each, with the files that examples
/// name.
pub(super) fn example_set(lessons: &[(&str, &str, &str)]) -> LessonSet {
    let (name, bytes) = PICTURE;
    let files = lessons.iter().map(|(folder, ..)| (format!("{folder}/{name}"), bytes.into()));
    LessonSet::from_memory_with(lessons, "", CourseFiles::in_memory(files.collect()))
}

impl CellExample {
    /// As it is written in a lesson.
    pub(super) fn fenced(&self, kind: &str) -> String {
        format!("```{kind}\n{}```\n", self.body)
    }

    /// A lesson that has nothing but this, `lesson.md`; the cell is called `example`.
    pub(super) fn lesson(&self, kind: &str) -> String {
        let Self { rig, front, set, text, body } = self;
        let set = if kind == "set" { body } else { set };
        let set = match set.trim_end() {
            "" => String::new(),
            set => format!("```set\n{set}\n```\n\n"),
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
             ## Example\n\n{set}{text}\n\n{example}"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use bindpose_asset::builtin;
    use bindpose_check::check_lessons;

    use super::*;

    /// No picture is larger, in bytes.
    const MAX_PICTURE: u64 = 60_000;
    /// A page that begins with it must come on a slow line, too.
    const MAX_FILM: u64 = 2_000_000;

    #[test]
    fn the_page_of_all_cells_is_as_it_would_be_written_now() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let there = fs::read_to_string(docs.join("cells.md")).unwrap_or_default();
        assert!(
            there == gallery_text().expect("a page"),
            "docs/cells.md is not what the cells are now: run `cargo xtask gallery`"
        );
        let parts = written_parts();
        let kinds: BTreeSet<String> = cells(&parts).map(|part| part.name.to_owned()).collect();
        let pictures = fs::read_dir(docs.join("cells")).expect("a folder");
        let pictures = pictures.filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            Some(name.strip_suffix(".png")?.to_owned())
        });
        assert_eq!(
            pictures.collect::<BTreeSet<String>>(),
            kinds,
            "one picture for each kind: run `cargo xtask gallery`"
        );
        for kind in kinds {
            let picture = docs.join(format!("cells/{kind}.png"));
            let size = fs::metadata(&picture).expect("a picture").len();
            assert!(size < MAX_PICTURE, "{kind}: {size} bytes");
        }
    }

    #[test]
    fn the_picture_of_a_page_in_readme_is_of_a_step_as_it_is_now() {
        let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/notebook.png");
        let file = std::io::BufReader::new(fs::File::open(picture).expect("a picture"));
        let reader = png::Decoder::new(file).read_info().expect("a PNG file");
        let texts = &reader.info().utf8_text;
        let text = texts.iter().find(|text| text.keyword == PAGE_KEYWORD);
        let text = text.and_then(|text| text.get_text().ok()).unwrap_or_default();
        let now = page_description(&LessonSet::embedded()).expect("a step");
        assert_eq!(text, now, "docs/notebook.png is out of date: run `cargo xtask gallery`");
    }

    #[test]
    fn every_kind_has_an_example_in_which_the_check_finds_nothing() {
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
            // A lesson of one cell in memory has no glossary beside it.
            let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
            assert_eq!(findings, Vec::<String>::new(), "{kind}:\n{lesson:?}");
        }
    }

    #[test]
    fn it_begins_and_ends_at_rest_and_its_lesson_is_sound() {
        let nod = |frame| match &film_settings(frame)[1] {
            Setting::Param(_, value) => *value,
            other => panic!("{other:?}"),
        };
        assert_eq!((nod(0), nod(FILM_FRAMES / 2)), (0.0, 0.0));
        assert!(nod(FILM_FRAMES - 1).abs() < 0.1);
        let set = LessonSet::from_memory(&[("10-bind-pose-bug", FILM_LESSON, "Notes.\n")], "");
        let findings = check_lessons(&set, &|id| builtin(id));
        let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(findings, Vec::<String>::new());
    }

    #[test]
    fn it_is_there_and_small() {
        let film = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/bind-pose-bug.gif");
        let size = fs::metadata(film).expect("run `cargo xtask gallery`").len();
        assert!(size < MAX_FILM, "{size} bytes");
    }
}
