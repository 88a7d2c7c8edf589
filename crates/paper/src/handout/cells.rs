//! What becomes of each kind of cell on paper: words, tables and drawings where
//! they say as much, else a picture of the cell as the page shows it.

use std::fmt::Write as _;

use bindpose_lesson::{Cell, CellKind, ErrataCell, NoteKind, PictureFormat, Text};

use super::conventions::conventions;
use super::faults::faults;
use super::findings::doctor;
use super::html::{PARAGRAPH, QUIET, escaped};
use super::live_cells;
use super::matrices::matrices;
use super::model_difference::model_difference;
use super::pages::OpenedStep;
use super::pictures::{HandoutPicture, PicturedPart, WantedPicture};
use super::place::HtmlPlace;
use super::plots::plot;
use super::weights::weights;
use super::writer::HandoutWriter;

impl HandoutWriter<'_> {
    /// Writes a cell as it is when its step opens.
    pub(super) fn cell(&mut self, out: &mut String, cell: &Cell, opened: &OpenedStep<'_>) {
        let mut content = String::new();
        self.content(&mut content, cell, opened);
        if !content.is_empty() {
            let id = escaped(&cell.id);
            // Beside the text on paper, so not parted from it.
            let class = if is_beside(cell) { " class=\"beside\"" } else { "" };
            let _ = writeln!(out, "<div data-cell=\"{id}\"{class}>\n{content}</div>");
        }
    }

    fn content(&mut self, out: &mut String, cell: &Cell, opened: &OpenedStep<'_>) {
        let page = opened.state();
        match &cell.kind {
            CellKind::Viewport(viewport) => {
                let caption = viewport.caption.as_ref();
                self.picture(out, cell, opened, Some(self.request.picture[1]), caption);
            }
            CellKind::Compare(_) => {
                let height = Some(self.request.picture[1]);
                self.picture(out, cell, opened, height, None);
            }
            CellKind::Angles(angles) => live_cells::angles(out, angles, opened.step, page),
            CellKind::Weights(of_cell) => weights(out, of_cell, page),
            CellKind::Matrix(of_cell) => matrices(out, of_cell, page),
            CellKind::Stages(stages) => live_cells::stages(out, stages, page),
            CellKind::Stops(stops) => self.stops(out, stops, opened),
            CellKind::Vertex(vertex) => live_cells::vertex(out, vertex, page),
            CellKind::Plot(of_cell) => {
                let lines = of_cell.lines.iter();
                let labels: Vec<String> = lines.map(|one| self.line(&one.label, opened)).collect();
                plot(out, of_cell, &labels, page);
            }
            CellKind::Doctor(of_cell) => doctor(out, of_cell, page),
            CellKind::ModelDifference(_) => model_difference(out, page),
            CellKind::Errata(errata) => self.errata(out, errata, opened),
            CellKind::Note(note) => {
                let class = match note.kind {
                    NoteKind::Aside => "card note",
                    NoteKind::Caution => "card errata",
                };
                let title = self.line(&note.title, opened);
                let _ = writeln!(out, "<div class=\"{class}\"><h3>{title}</h3>");
                self.text(out, &note.text, PARAGRAPH, opened);
                out.push_str("</div>\n");
            }
            CellKind::Picture(picture) => self.given_picture(out, picture, opened),
            CellKind::Chain(chain) => self.chain(out, chain, opened),
            CellKind::Check(check) => self.check(out, check.with(0), opened),
            CellKind::Predict(predict) => self.predict(out, predict.with(0), opened),
            CellKind::Ask(ask) => self.ask(out, ask.with(0), &cell.id, opened),
            CellKind::Faults(of_cell) => faults(out, of_cell),
            CellKind::Conventions(of_cell) => conventions(out, of_cell, page),
            CellKind::Proof(_) => out.push_str(
                "<p class=\"aside\">Here the notebook holds what the graphics card computes \
                 against the same sum in 64-bit floats.</p>\n",
            ),
            CellKind::EngineNumbers(_) => out.push_str(
                "<p class=\"aside\">Here the notebook holds matrices or positions of the \
                 reader’s own engine against those of the page: it names the matrix that they \
                 are, or the first that differs.</p>\n",
            ),
            CellKind::Pose(of_cell) => {
                let text = super::html::escaped(&of_cell.program.source);
                let _ = writeln!(out, "<pre><code>{text}</code></pre>");
            }
            CellKind::Indices(_)
            | CellKind::Brush(_)
            | CellKind::Quantiser(_)
            | CellKind::Histogram(_)
            | CellKind::Texture(_)
            | CellKind::Budget(_)
            | CellKind::Shader(_)
            | CellKind::Tree(_)
            | CellKind::Bytes(_)
            | CellKind::Timeline(_) => self.picture(out, cell, opened, None, None),
        }
    }

    /// A picture of a cell; without a height, as high as the cell is.
    fn picture(
        &mut self,
        out: &mut String,
        cell: &Cell,
        opened: &OpenedStep<'_>,
        height: Option<u32>,
        caption: Option<&Text>,
    ) {
        let wanted = WantedPicture {
            lesson: opened.lesson.slug.clone(),
            part: PicturedPart::Cell { step: opened.step.slug.clone(), cell: cell.id.clone() },
            width: self.request.picture[0],
            height,
        };
        let Some(picture) = self.pictures.picture(&wanted) else {
            return;
        };
        let class = match cell.kind {
            _ if is_beside(cell) => "picture side",
            CellKind::Compare(_) => "picture compared",
            _ => "picture",
        };
        let _ = write!(out, "<figure class=\"{class}\">");
        self.image(out, &picture);
        if let Some(caption) = caption {
            let _ = write!(out, "<figcaption>{}</figcaption>", self.line(caption, opened));
        }
        out.push_str("</figure>\n");
    }

    /// Writes a picture alone, where there is one.
    pub(super) fn figure(&mut self, out: &mut String, wanted: &WantedPicture, class: &str) {
        if let Some(picture) = self.pictures.picture(wanted) {
            let _ = write!(out, "<figure class=\"{class}\">");
            self.image(out, &picture);
            out.push_str("</figure>\n");
        }
    }

    /// Writes the picture. Pages of a site hold its place, and a script or a browser
    /// without scripts puts it there: where the notebook starts, it never loads.
    fn image(&mut self, out: &mut String, picture: &HandoutPicture) {
        let [width, height] = picture.size;
        let source = (self.address)(PictureFormat::Png, &picture.png);
        let words = escaped(&picture.words);
        let image = format!(
            "<img width=\"{width:.0}\" height=\"{height:.0}\" alt=\"{words}\" src=\"{source}\""
        );
        let _ = match self.place {
            HtmlPlace::Paper => write!(out, "{image}>"),
            HtmlPlace::Pages | HtmlPlace::OneFile => write!(
                out,
                "<div class=\"still\" style=\"max-width:{width:.0}px;\
                 aspect-ratio:{width:.0}/{height:.0}\">\
                 <noscript>{image} loading=\"lazy\" decoding=\"async\"></noscript></div>"
            ),
        };
    }

    fn errata(&mut self, out: &mut String, errata: &ErrataCell, opened: &OpenedStep<'_>) {
        let number = errata.id.as_deref().map_or_else(String::new, |id| {
            format!(" <span class=\"number-of\">{}</span>", escaped(id))
        });
        let _ = writeln!(out, "<div class=\"card errata\"><h3>The articles say{number}</h3>");
        self.text(out, &errata.claim, QUIET, opened);
        let strong = ("<p><strong>", "</strong></p>");
        self.text(out, &errata.correction, strong, opened);
        self.text(out, &errata.why, PARAGRAPH, opened);
        out.push_str("</div>\n");
    }
}

/// Stands beside the text on paper: it can be seen well in half its width.
fn is_beside(cell: &Cell) -> bool {
    matches!(cell.kind, CellKind::Viewport(_))
}
