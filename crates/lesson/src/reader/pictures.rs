//! Pictures written as a paragraph of their own, `![words](hand.png)`: a short form of
//! the picture cell.

use std::ops::Range;

use bindpose_diagnostic::{LineColumn, Place as Within};
use percent_encoding::percent_decode_str;
use pulldown_cmark::{Event, Tag, TagEnd};

use super::LessonReader;
use crate::cell_validation::{InvalidCell, check_picture};
use crate::outline::{MentionKind, OutlinePlace};
use crate::{Cell, CellKind, LessonBlock, PictureCell, PictureFile, Text};

impl LessonReader<'_> {
    /// Whether the next event is an image that fills the whole paragraph.
    pub(super) fn is_lone_picture(&mut self, paragraph: &Range<usize>) -> bool {
        let in_lesson = matches!(self.place, OutlinePlace::Intro | OutlinePlace::Step(_));
        let Some((Event::Start(Tag::Image { .. }), image)) = self.events.peek() else {
            return false;
        };
        let after = self.source.text.get(image.end..paragraph.end);
        in_lesson
            && image.start == paragraph.start
            && after.is_some_and(|after| after.trim().is_empty())
    }

    /// Reads a picture. Returns `None` if the next event is no image.
    pub(super) fn read_picture(&mut self) -> Option<LessonBlock> {
        let (event, range) =
            self.events.next_if(|(event, _)| matches!(event, Event::Start(Tag::Image { .. })))?;
        let Event::Start(Tag::Image { dest_url, title, .. }) = event else {
            return None;
        };
        let alt = self.read_plain_text(TagEnd::Image);
        let keys = self.picture_keys(&range);
        let cell = picture_cell(&dest_url, alt, &title).map_err(|InvalidCell { key, error }| {
            let place = keys.iter().find(|(name, _)| *name == key);
            let at = place.map_or_else(|| self.source.at(range.start), |&(_, at)| at);
            error.at(Within::text(&self.source.file, at))
        });
        let kind = match cell {
            Ok(cell) => CellKind::Picture(cell),
            Err(finding) => return Some(self.broken_block(finding)),
        };
        let cell = Cell {
            id: self.cell_id("picture", None, range.start),
            line: self.source.at(range.start).line,
            kind: kind.clone(),
        };
        let kind = Box::new(kind);
        self.add_mention(range.start, MentionKind::Cell { kind, keys });
        Some(LessonBlock::Cell(Box::new(cell)))
    }

    /// Positions of the alternative text and of the file name.
    fn picture_keys(&self, range: &Range<usize>) -> Vec<(String, LineColumn)> {
        let written = self.source.text.get(range.clone()).unwrap_or_default();
        let target = written.rfind("](").map_or(0, |at| at + 2);
        let alt_at = self.source.at(range.start + "![".len());
        let file_at = self.source.at(range.start + target);
        vec![("alt".to_owned(), alt_at), ("file".to_owned(), file_at)]
    }
}

fn picture_cell(target: &str, alt: String, title: &str) -> Result<PictureCell, InvalidCell> {
    // Spaces in a target are written %20.
    let name = percent_decode_str(target).decode_utf8_lossy().into_owned();
    let file = PictureFile::try_from(name)
        .map_err(|error| InvalidCell { key: "file".to_owned(), error })?;
    let cell = PictureCell {
        file,
        alt,
        caption: Some(Text::from(title)).filter(|text| !text.is_empty()),
        ..PictureCell::default()
    };
    check_picture(&cell).map_err(|InvalidCell { key, error }| {
        let help =
            "write between the brackets what it shows: ![A hand with three joints](hand.png)";
        let error = if key == "alt" { error.help(help) } else { error };
        InvalidCell { key, error }
    })?;
    Ok(cell)
}

#[cfg(test)]
mod tests {
    use bindpose_diagnostic::Diagnostic;

    use super::*;
    use crate::{Lesson, parse_lesson};

    fn lesson(prose: &str) -> Lesson {
        let head = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n## S\n\n";
        parse_lesson("20-x", &format!("{head}{prose}\n"), "")
    }

    fn picture(block: &LessonBlock) -> &PictureCell {
        match block {
            LessonBlock::Cell(cell) => match &cell.kind {
                CellKind::Picture(picture) => picture,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_lone_image_in_a_paragraph_is_a_picture() {
        let prose = "Before.\n\n![A *bent* hand](a/my%20hand.png \"Three joints\")\n\nAfter.\n\n\
                     ```picture\nfile = \"x.png\"\nalt = \"Two rings.\"\ncaption = \"Both $w$.\"\n\
                     width = 0.5\ndark = \"y.png\"\n```";
        let read = lesson(&prose.replace("*bent*", "bent"));
        assert_eq!(read.findings, []);
        let blocks = &read.steps[0].blocks;
        let ids: Vec<&str> = read.cells().map(|cell| &*cell.id).collect();
        assert_eq!(ids, ["picture-1", "picture-2"]);
        let first = picture(&blocks[1]);
        assert_eq!((&*first.file.name, &*first.alt), ("a/my hand.png", "A bent hand"));
        let caption = first.caption.as_ref().map(Text::words);
        assert_eq!(caption.as_deref(), Some("Three joints"));
        let second = picture(&blocks[3]);
        assert_eq!(second.file_in(true).name, "y.png");
        assert_eq!(second.file_in(false).name, "x.png");
        let names: Vec<&str> = read.shown_files().collect();
        assert_eq!(names, ["a/my hand.png", "x.png", "y.png"]);
        // Emphasis is not shown in an alternative text.
        assert_eq!(lesson(prose).findings.len(), 1);
    }

    #[test]
    fn reports_errors_in_pictures_at_their_position() {
        for (prose, line, column, says) in [
            ("![](hand.png)", 8, 3, "do not see"),
            ("![Hand](hand.png)", 8, 3, "the name of its file"),
            ("![A hand](hand.gif)", 8, 11, "name of a picture"),
            ("![A hand](https://x.org/a.png)", 8, 11, "name of a picture"),
            ("![A hand](../hand.png)", 8, 11, "name of a picture"),
            ("See ![a hand](hand.png) there.", 8, 5, "found an image"),
            ("- ![a hand](hand.png)", 8, 3, "found an image"),
            ("> ![a hand](hand.png)", 8, 3, "found an image"),
            ("```picture\nfile = \"hand.png\"\n```", 8, 1, "the key `alt` is missing"),
            ("```picture\nfile = \"hand.png\"\nalt = \" \"\n```", 10, 7, "do not see"),
            (
                "```picture\nfile = \"/etc/a.png\"\nalt = \"A hand.\"\n```",
                9,
                8,
                "name of a picture",
            ),
            (
                "```picture\nfile = \"a.png\"\nalt = \"A hand.\"\nwidth = 4\n```",
                11,
                9,
                "from 0.05 to 1",
            ),
        ] {
            let findings = lesson(prose).findings;
            assert_eq!(findings.len(), 1, "{prose}: {findings:?}");
            let error = findings[0].to_string();
            let place = format!("20-x/lesson.md:{line}:{column}:");
            assert!(error.starts_with(&place), "{error}");
            assert!(error.contains(says) && error.contains("help"), "{error}");
        }
    }

    #[test]
    fn reports_images_in_notes_and_texts_of_cells() {
        let head = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n";
        let text = "## S\n\nA.\n\n```note\ntitle = \"N\"\ntext = \"![a hand](hand.png)\"\n```\n";
        let notes = "![a hand](hand.png)\n";
        let read = parse_lesson("20-x", &format!("{head}{text}"), notes);
        let found = read.findings.iter().map(Diagnostic::sentence);
        let found: Vec<String> = found.filter(|said| said.contains("an image")).collect();
        assert_eq!(found.len(), 2, "{:?}", read.findings);
    }

    #[test]
    fn a_picture_before_the_first_step_is_in_the_introduction() {
        let head = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n";
        let text = format!("{head}\n![A hand, bent](hand.png)\n\n## S\n\nA.\n");
        let read = parse_lesson("20-x", &text, "");
        assert_eq!(read.findings, []);
        assert_eq!(picture(&read.intro[0]).file.name, "hand.png");
        assert!(read.stage.is_empty());
    }
}
