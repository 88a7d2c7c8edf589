//! What becomes of each kind of cell on paper: words, tables and drawings where
//! they say as much, else a picture of the cell as the page shows it.

use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_asset::doctor::examine;
use bindpose_asset::{TaskProgress, builtin};
use bindpose_diagnostic::counted;
use bindpose_lesson::{
    Cell, CellKind, ConventionsCell, DoctorCell, ErrataCell, FaultsCell, LearntCell, ModelB,
    NoteKind, PictureFormat, Text, WeightsCell,
};
use bindpose_notebook::faults::offered;
use bindpose_notebook::model_difference::{model_difference as difference, rewritten};
use bindpose_notebook::number_text::{fixed, grouped};
use bindpose_notebook::significant_digits::USUAL;
use bindpose_notebook::{PageState, SUM_TOLERANCE, rest_bounds, significant_digits};
use bindpose_skin::{Conventions, LANES};

use super::figures::plot;
use super::html::{
    HandoutPicture, HtmlPlace, OpenedStep, PARAGRAPH, PicturedPart, QUIET, WantedPicture, escaped,
    note,
};
use super::live_cells;
use super::live_cells::matrices;
use super::writer::HandoutWriter;

/// Of a picture beside what was learnt, in points.
const LEARNT_PICTURE: [u32; 2] = [260, 180];

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
            CellKind::Learnt(learnt) => self.learnt(out, (&cell.id, learnt), opened),
            CellKind::Stops(stops) => self.stops(out, stops, opened),
            CellKind::Vertex(vertex) => live_cells::vertex(out, vertex, page),
            CellKind::Plot(of_cell) => {
                let lines = of_cell.lines.iter();
                let labels: Vec<String> = lines.map(|one| self.line(&one.label, opened)).collect();
                plot(out, of_cell, &labels, page);
            }
            CellKind::Doctor(of_cell) => doctor_findings(out, of_cell, page),
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

    /// Each sentence with the picture that proves it.
    fn learnt(
        &mut self,
        out: &mut String,
        (id, cell): (&str, &LearntCell),
        opened: &OpenedStep<'_>,
    ) {
        out.push_str("<ul class=\"learnt\">\n");
        for (line, learnt) in cell.lines.iter().enumerate() {
            out.push_str("<li>");
            let (step, cell) = (opened.step.slug.clone(), id.to_owned());
            let [width, height] = LEARNT_PICTURE;
            let wanted = WantedPicture {
                lesson: opened.lesson.slug.clone(),
                part: PicturedPart::Learnt { step, cell, line },
                width,
                height: Some(height),
            };
            self.figure(out, &wanted, "picture");
            let _ = writeln!(out, "<div>{}</div></li>", self.line(&learnt.say, opened));
        }
        out.push_str("</ul>\n");
    }

    /// Writes a picture alone, where there is one.
    pub(super) fn figure(&mut self, out: &mut String, wanted: &WantedPicture, class: &str) {
        if let Some(picture) = self.pictures.picture(wanted) {
            let _ = write!(out, "<figure class=\"{class}\">");
            self.image(out, &picture);
            out.push_str("</figure>\n");
        }
    }

    /// Writes the picture. Pages of a site hold its place until it is in sight.
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
                 {image} loading=\"lazy\" decoding=\"async\"></div>"
            ),
        };
    }

    fn errata(&mut self, out: &mut String, errata: &ErrataCell, opened: &OpenedStep<'_>) {
        let number = errata.id.as_deref().map_or_else(String::new, |id| {
            format!(" <span class=\"number-of\">{}</span>", escaped(id))
        });
        let _ = writeln!(out, "<div class=\"card errata\"><h3>{}{number}</h3>", errata.heading());
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

// Known faults on paper: what each looks like and what tells it.

/// A definition for each fault that a cell offers; where one is hidden, these are the
/// candidates.
pub(super) fn faults(out: &mut String, cell: &FaultsCell) {
    out.push_str("<dl>\n");
    for fault in offered(cell) {
        let [title, looks, tell, seen] =
            [fault.title, fault.looks, fault.tell, fault.seen].map(escaped);
        let _ = writeln!(
            out,
            "<dt>{title}</dt><dd>{looks} <strong>What tells it:</strong> {tell} \
             <em>Seen:</em> {seen}</dd>"
        );
    }
    out.push_str("</dl>\n");
}

// What differs between two models, on paper.

/// The findings. A file that a reader has opened is not on paper.
pub(super) fn model_difference(out: &mut String, page: PageState<'_>) {
    let a = &page.derived.stored_rig;
    let b = match &page.document.state.model_b {
        ModelB::Written(changes) => Some(rewritten(a, changes)),
        ModelB::BuiltIn(id) => builtin(id),
        ModelB::Opened | ModelB::Before => None,
    };
    let Some(b) = b else {
        out.push_str(
            "<p class=\"aside\">Here the notebook holds the model against a second file of \
             yours.</p>\n",
        );
        return;
    };
    let found = difference(a, &b);
    let [of_a, of_b] = [a, &b].map(|rig: &Arc<_>| counted(rig.skeleton.len(), "joint"));
    let title = escaped(&a.title);
    let _ =
        writeln!(out, "<p class=\"aside\">{title}, {of_a}, and a second model, {of_b}:</p>\n<ul>");
    for finding in &found.findings {
        let _ = writeln!(out, "<li>{}</li>", escaped(finding));
    }
    out.push_str("</ul>\n");
}

// How systems write matrices, on paper.

/// How the page has them, and a row for each system that a cell offers.
pub(super) fn conventions(out: &mut String, cell: &ConventionsCell, page: PageState<'_>) {
    let here = page.document.state.written_as.over(Conventions::default());
    let _ = writeln!(
        out,
        "<p>Matrices are written for {}, {} in memory, {}.</p>",
        here.vectors.label(),
        here.memory.label(),
        here.axes.label()
    );
    let Some(first) = cell.systems.first() else {
        return;
    };
    out.push_str("<table><thead><tr><th></th><th>vectors</th><th>in memory</th><th>axes</th>");
    for word in first.words() {
        let _ = write!(out, "<th>{}</th>", escaped(word.ours));
    }
    out.push_str("</tr></thead><tbody>\n");
    for system in &cell.systems {
        let conventions = system.conventions();
        let labels =
            [conventions.vectors.label(), conventions.memory.label(), conventions.axes.label()];
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", system.label());
        for label in labels {
            let _ = write!(out, "<td>{}</td>", escaped(label));
        }
        for word in system.words() {
            let _ = write!(out, "<td>{}</td>", escaped(&word.theirs.replace('`', "")));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
}

// What is wrong with the file behind the rig, as a list.

/// Findings where the cell does not say how many.
const ROWS: usize = 10;

/// Writes the cell.
pub(super) fn doctor_findings(out: &mut String, cell: &DoctorCell, page: PageState<'_>) {
    let rig = &page.derived.rig;
    let Some(origin) = &rig.origin else {
        let _ = writeln!(
            out,
            "<p class=\"aside\">{} was made in memory: there is no file to examine.</p>",
            escaped(&rig.title)
        );
        return;
    };
    let report = examine(&origin.source, &TaskProgress::default());
    let name = escaped(&origin.source.name);
    let verdict =
        report.verdict().map(|words| format!(": {}", escaped(&words))).unwrap_or_default();
    let _ = writeln!(out, "<p class=\"aside\"><code>{name}</code>{verdict}</p>");
    if report.findings.is_empty() {
        return;
    }
    let rows = if cell.brief { 1 } else { cell.rows.unwrap_or(ROWS) };
    out.push_str("<ul>\n");
    for finding in report.findings.iter().take(rows) {
        let _ = writeln!(
            out,
            "<li><strong>{}</strong> <code>{}</code>: {}. {}</li>",
            finding.severity.key(),
            finding.code,
            note(&finding.title),
            note(&finding.help)
        );
    }
    out.push_str("</ul>\n");
}

// Weights as a table: a row a vertex, a joint and a weight a lane, their sum.

/// Rows of a longer table.
const WEIGHT_ROWS: usize = 12;

/// Writes the cell.
pub(super) fn weights(out: &mut String, cell: &WeightsCell, page: PageState<'_>) {
    let count = page.derived.influences.len() as u32;
    let chosen = page.document.state.vertex;
    let all: Vec<u32> = match &cell.vertices[..] {
        [] if cell.sliders => vec![chosen],
        [] => (0..count).collect(),
        listed => listed.to_vec(),
    };
    let mut shown: Vec<u32> = all.iter().copied().take(WEIGHT_ROWS).collect();
    if all.len() > WEIGHT_ROWS && all.contains(&chosen) && !shown.contains(&chosen) {
        shown.pop();
        shown.push(chosen);
    }
    let lanes = lanes(cell, page);
    let axes = match (cell.positions, page.derived.rig.flat) {
        (false, _) => 0,
        (true, true) => 2,
        (true, false) => 3,
    };
    let (low, high) = rest_bounds(&page.derived.rig);
    let decimals = significant_digits::decimals(f64::from((high - low).length()), USUAL);
    out.push_str(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th scope=\"col\">vertex</th>",
    );
    for _ in 0..lanes {
        out.push_str("<th scope=\"col\">joint</th><th scope=\"col\">weight</th>");
    }
    out.push_str("<th scope=\"col\">Σw</th>");
    for axis in ["x", "y", "z"].iter().take(axes) {
        let _ = write!(out, "<th scope=\"col\">{axis}</th>");
    }
    out.push_str("</tr></thead><tbody>\n");
    for vertex in shown {
        let Some(influences) = page.derived.influences.get(vertex as usize) else {
            continue;
        };
        let class = if vertex == chosen { " class=\"chosen\"" } else { "" };
        let _ = write!(out, "<tr{class}><th scope=\"row\">v{vertex}</th>");
        for lane in 0..lanes {
            let (joint, weight) = (influences.joints[lane], influences.weights[lane]);
            let quiet = if weight == 0.0 { " class=\"quiet\"" } else { "" };
            let weight = fixed(weight.into(), 2);
            let _ = write!(out, "<td{quiet}>{}</td><td{quiet}>{weight}</td>", joint.0);
        }
        let sum = influences.sum();
        let shown = fixed(sum.into(), 2);
        let _ = if (sum - 1.0).abs() <= SUM_TOLERANCE {
            write!(out, "<td>{shown}</td>")
        } else {
            write!(out, "<td class=\"wrong\">{shown} ≠ 1</td>")
        };
        let position = page.derived.position(vertex as usize).unwrap_or_default();
        for axis in 0..axes {
            let _ = write!(out, "<td>{}</td>", fixed(position[axis].into(), decimals));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    if all.len() > WEIGHT_ROWS {
        let all = grouped(all.len() as u32);
        let _ = writeln!(out, "<p class=\"aside\">{ROWS} of {all} vertices.</p>");
    }
}

/// As many lanes as the cell asks for, or as the mesh uses.
fn lanes(cell: &WeightsCell, page: PageState<'_>) -> usize {
    let used = |lanes: usize| lanes.clamp(1, LANES);
    if let Some(lanes) = cell.lanes {
        return used(lanes);
    }
    let of_vertex = page.derived.influences.iter();
    let most = of_vertex.filter_map(|one| one.used().map(|(lane, ..)| lane + 1).max());
    used(most.max().unwrap_or(1))
}
