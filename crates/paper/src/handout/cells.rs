//! The cells of a lesson as HTML: as text, tables and SVG where these can replace the cell, else as
//! a picture of the cell in the notebook.

use std::fmt::Write as _;

use bindpose_diagnostic::counted;
use bindpose_doctor::examine;
use bindpose_gltf::TaskProgress;
use bindpose_lesson::number_text::{fixed, grouped};
use bindpose_lesson::significant_digits::USUAL_DECIMALS;
use bindpose_lesson::{
    Cell, CellKind, ComparedModel, ConventionsCell, DoctorCell, ErrataCell, FaultsCell, LearntCell,
    NoteCell, NoteKind, PictureFormat, Text, WeightsCell, significant_digits,
};
use bindpose_notebook::faults::offered;
use bindpose_notebook::{PageState, SUM_TOLERANCE, rest_bounds};
use bindpose_rigs::builtin;
use bindpose_skin::{Conventions, LANES};
use bindpose_workbench::model_difference::{model_difference, rewrite_model};

use super::figures::write_plot;
use super::html::{HtmlTarget, code_spans_html, escaped};
use super::live_cells::{write_angles, write_matrices, write_stages, write_vertex};
use super::pages::OpenedStep;
use super::pictures::{HandoutPicture, PictureRequest, PictureSubject};
use super::prose::ParagraphStyle;
use super::writer::HandoutWriter;

/// Width and height of the pictures in a summary of what was learnt, in points.
const LEARNT_PICTURE_SIZE: [u32; 2] = [260, 180];

impl HandoutWriter<'_> {
    /// Writes a cell in the state in which its step opens. Writes nothing if the cell has no
    /// content on paper.
    pub(super) fn write_cell(&mut self, out: &mut String, cell: &Cell, opened: &OpenedStep<'_>) {
        let mut content = String::new();
        self.write_cell_content(&mut content, cell, opened);
        if !content.is_empty() {
            let id = escaped(&cell.id);
            // The style sheet keeps such cells on the same sheet as the text.
            let class = if is_beside_text(cell) { " class=\"beside\"" } else { "" };
            let _ = writeln!(out, "<div data-cell=\"{id}\"{class}>\n{content}</div>");
        }
    }

    fn write_cell_content(&mut self, out: &mut String, cell: &Cell, opened: &OpenedStep<'_>) {
        let page = opened.page_state();
        match &cell.kind {
            CellKind::Viewport(viewport) => {
                let height = Some(self.request.picture[1]);
                self.write_cell_picture(out, cell, opened, height, viewport.caption.as_ref());
            }
            CellKind::Compare(_) => {
                let height = Some(self.request.picture[1]);
                self.write_cell_picture(out, cell, opened, height, None);
            }
            CellKind::Angles(angles) => write_angles(out, angles, opened.step, page),
            CellKind::Weights(weights) => write_weights(out, weights, page),
            CellKind::Matrix(matrix) => write_matrices(out, matrix, page),
            CellKind::Stages(stages) => write_stages(out, stages, page),
            CellKind::Learnt(learnt) => self.write_learnt(out, learnt, &cell.id, opened),
            CellKind::Stops(stops) => self.write_stops(out, stops, opened),
            CellKind::Vertex(vertex) => write_vertex(out, vertex, page),
            CellKind::Plot(plot) => {
                let labels: Vec<String> =
                    plot.lines.iter().map(|line| self.line_html(&line.label, opened)).collect();
                write_plot(out, plot, &labels, page);
            }
            CellKind::Doctor(doctor) => write_findings(out, doctor, page),
            CellKind::ModelDifference(_) => write_model_difference(out, page),
            CellKind::Errata(errata) => self.write_errata(out, errata, opened),
            CellKind::Note(note) => self.write_note(out, note, opened),
            CellKind::Picture(picture) => self.write_lesson_picture(out, picture, opened),
            CellKind::Chain(chain) => self.write_chain(out, chain, opened),
            CellKind::Check(check) => self.write_check(out, check.with(0), opened),
            CellKind::Predict(predict) => self.write_predict(out, predict.with(0), opened),
            CellKind::Ask(ask) => self.write_ask(out, ask.with(0), &cell.id, opened),
            CellKind::Faults(faults) => write_faults(out, faults),
            CellKind::Conventions(conventions) => write_conventions(out, conventions, page),
            CellKind::Proof(_) => out.push_str(
                "<p class=\"aside\">Here the notebook holds what the graphics card computes \
                 against the same sum in 64-bit floats.</p>\n",
            ),
            CellKind::EngineNumbers(_) => out.push_str(
                "<p class=\"aside\">Here the notebook holds matrices or positions of the \
                 reader’s own engine against those of the page: it names the matrix that they \
                 are, or the first that differs.</p>\n",
            ),
            CellKind::Pose(pose) => {
                let source = escaped(&pose.program.source);
                let _ = writeln!(out, "<pre><code>{source}</code></pre>");
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
            | CellKind::Timeline(_) => self.write_cell_picture(out, cell, opened, None, None),
        }
    }

    /// Writes a picture of a cell, if there is one. With `height` as `None` it has the natural
    /// height of the cell.
    fn write_cell_picture(
        &mut self,
        out: &mut String,
        cell: &Cell,
        opened: &OpenedStep<'_>,
        height: Option<u32>,
        caption: Option<&Text>,
    ) {
        let wanted = PictureRequest {
            lesson: opened.lesson.slug.clone(),
            part: PictureSubject::Cell { step: opened.step.slug.clone(), cell: cell.id.clone() },
            width: self.request.picture[0],
            height,
        };
        let Some(picture) = self.pictures.picture(&wanted) else {
            return;
        };
        let class = match cell.kind {
            _ if is_beside_text(cell) => "picture side",
            CellKind::Compare(_) => "picture compared",
            _ => "picture",
        };
        let _ = write!(out, "<figure class=\"{class}\">");
        self.write_image(out, &picture);
        if let Some(caption) = caption {
            let _ = write!(out, "<figcaption>{}</figcaption>", self.line_html(caption, opened));
        }
        out.push_str("</figure>\n");
    }

    /// Writes a picture without a caption, if there is one.
    pub(super) fn write_picture(&mut self, out: &mut String, wanted: &PictureRequest, class: &str) {
        if let Some(picture) = self.pictures.picture(wanted) {
            let _ = write!(out, "<figure class=\"{class}\">");
            self.write_image(out, &picture);
            out.push_str("</figure>\n");
        }
    }

    /// Writes an image. In a site it is loaded when it scrolls into view, and its space is reserved
    /// until then.
    fn write_image(&mut self, out: &mut String, picture: &HandoutPicture) {
        let [width, height] = picture.size;
        let url = (self.picture_url)(PictureFormat::Png, &picture.png);
        let alt = escaped(&picture.words);
        let image =
            format!("<img width=\"{width:.0}\" height=\"{height:.0}\" alt=\"{alt}\" src=\"{url}\"");
        let _ = match self.target {
            HtmlTarget::Paper => write!(out, "{image}>"),
            HtmlTarget::SitePages | HtmlTarget::SingleFile => write!(
                out,
                "<div class=\"still\" style=\"max-width:{width:.0}px;\
                 aspect-ratio:{width:.0}/{height:.0}\">\
                 {image} loading=\"lazy\" decoding=\"async\"></div>"
            ),
        };
    }

    /// Writes the sentences of what was learnt, each with its picture.
    fn write_learnt(
        &mut self,
        out: &mut String,
        cell: &LearntCell,
        id: &str,
        opened: &OpenedStep<'_>,
    ) {
        let [width, height] = LEARNT_PICTURE_SIZE;
        out.push_str("<ul class=\"learnt\">\n");
        for (index, line) in cell.lines.iter().enumerate() {
            out.push_str("<li>");
            let wanted = PictureRequest {
                lesson: opened.lesson.slug.clone(),
                part: PictureSubject::Learnt {
                    step: opened.step.slug.clone(),
                    cell: id.to_owned(),
                    line: index,
                },
                width,
                height: Some(height),
            };
            self.write_picture(out, &wanted, "picture");
            let _ = writeln!(out, "<div>{}</div></li>", self.line_html(&line.say, opened));
        }
        out.push_str("</ul>\n");
    }

    fn write_errata(&mut self, out: &mut String, errata: &ErrataCell, opened: &OpenedStep<'_>) {
        let number = match &errata.id {
            Some(id) => format!(" <span class=\"number-of\">{}</span>", escaped(id)),
            None => String::new(),
        };
        let _ = writeln!(out, "<div class=\"card errata\"><h3>{}{number}</h3>", errata.heading());
        self.write_text(out, &errata.claim, ParagraphStyle::Quiet, opened);
        self.write_text(out, &errata.correction, ParagraphStyle::Strong, opened);
        self.write_text(out, &errata.why, ParagraphStyle::Plain, opened);
        out.push_str("</div>\n");
    }

    fn write_note(&mut self, out: &mut String, note: &NoteCell, opened: &OpenedStep<'_>) {
        let class = match note.kind {
            NoteKind::Aside => "card note",
            NoteKind::Caution => "card errata",
        };
        let title = self.line_html(&note.title, opened);
        let _ = writeln!(out, "<div class=\"{class}\"><h3>{title}</h3>");
        self.write_text(out, &note.text, ParagraphStyle::Plain, opened);
        out.push_str("</div>\n");
    }
}

/// Returns whether a cell is placed beside the text, which leaves it half the width of the page.
fn is_beside_text(cell: &Cell) -> bool {
    matches!(cell.kind, CellKind::Viewport(_))
}

/// Writes a definition of each fault that a cell offers. If one is hidden, these are the
/// candidates.
fn write_faults(out: &mut String, cell: &FaultsCell) {
    out.push_str("<dl>\n");
    for fault in offered(cell) {
        let [title, looks, tell, seen] =
            [fault.title, fault.looks, fault.tell, fault.seen].map(escaped);
        let _ = writeln!(
            out,
            "<dt>{title}</dt><dd>{looks} <strong>How to tell:</strong> {tell} \
             <em>Seen:</em> {seen}</dd>"
        );
    }
    out.push_str("</dl>\n");
}

/// Writes the differences between the model and a second one, unless that is a file of the reader.
fn write_model_difference(out: &mut String, page: PageState<'_>) {
    let model = &page.derived.stored_rig;
    let second_model = match &page.document.state.model_b {
        ComparedModel::Written(changes) => Some(rewrite_model(model, changes)),
        ComparedModel::BuiltIn(id) => builtin(id),
        ComparedModel::Opened | ComparedModel::Before => None,
    };
    let Some(second_model) = second_model else {
        out.push_str(
            "<p class=\"aside\">Here the notebook holds the model against a second file of \
             yours.</p>\n",
        );
        return;
    };
    let _ = writeln!(
        out,
        "<p class=\"aside\">{}, {}, and a second model, {}:</p>\n<ul>",
        escaped(&model.title),
        counted(model.skeleton.len(), "joint"),
        counted(second_model.skeleton.len(), "joint")
    );
    for finding in &model_difference(model, &second_model).findings {
        let _ = writeln!(out, "<li>{}</li>", escaped(finding));
    }
    out.push_str("</ul>\n");
}

/// Writes the matrix conventions of the page, and a table of those of the systems that a cell
/// offers.
fn write_conventions(out: &mut String, cell: &ConventionsCell, page: PageState<'_>) {
    let page_conventions = page.document.state.written_as.over(Conventions::default());
    let _ = writeln!(
        out,
        "<p>Matrices are written for {}, {} in memory, {}.</p>",
        page_conventions.vectors.label(),
        page_conventions.memory.label(),
        page_conventions.axes.label()
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
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", system.label());
        for label in
            [conventions.vectors.label(), conventions.memory.label(), conventions.axes.label()]
        {
            let _ = write!(out, "<td>{}</td>", escaped(label));
        }
        for word in system.words() {
            let _ = write!(out, "<td>{}</td>", escaped(&word.theirs.replace('`', "")));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
}

/// Maximum number of findings of a doctor cell that does not specify it.
const DEFAULT_MAX_FINDINGS: usize = 10;

/// Writes the doctor's findings about the file of the rig.
fn write_findings(out: &mut String, cell: &DoctorCell, page: PageState<'_>) {
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
    let verdict = match report.verdict() {
        Some(words) => format!(": {}", escaped(&words)),
        None => String::new(),
    };
    let _ = writeln!(out, "<p class=\"aside\"><code>{name}</code>{verdict}</p>");
    if report.findings.is_empty() {
        return;
    }
    let max_findings =
        if cell.brief { 1 } else { cell.rows.map_or(DEFAULT_MAX_FINDINGS, |rows| rows.0) };
    out.push_str("<ul>\n");
    for finding in report.findings.iter().take(max_findings) {
        let _ = writeln!(
            out,
            "<li><strong>{}</strong> <code>{}</code>: {}. {}</li>",
            finding.severity.key(),
            finding.code,
            code_spans_html(&finding.title),
            code_spans_html(&finding.help)
        );
    }
    out.push_str("</ul>\n");
}

/// Maximum number of vertices in a table of weights.
const MAX_WEIGHT_ROWS: usize = 12;

/// Writes a table of weights: a row per vertex, with a joint and a weight per lane and their sum.
fn write_weights(out: &mut String, cell: &WeightsCell, page: PageState<'_>) {
    let chosen = page.document.state.vertex;
    let vertices: Vec<u32> = if !cell.vertices.is_empty() {
        cell.vertices.clone()
    } else if cell.sliders {
        vec![chosen]
    } else {
        (0..page.derived.influences.len() as u32).collect()
    };
    let mut shown_vertices: Vec<u32> = vertices.iter().copied().take(MAX_WEIGHT_ROWS).collect();
    if vertices.len() > MAX_WEIGHT_ROWS
        && vertices.contains(&chosen)
        && !shown_vertices.contains(&chosen)
    {
        shown_vertices.pop();
        shown_vertices.push(chosen);
    }
    let lanes = weight_lanes(cell, page);
    let axes = match (cell.positions, page.derived.rig.flat) {
        (false, _) => 0,
        (true, true) => 2,
        (true, false) => 3,
    };
    let (low, high) = rest_bounds(&page.derived.rig);
    let decimals = significant_digits::decimals(f64::from((high - low).length()), USUAL_DECIMALS);
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
    for vertex in shown_vertices {
        let Some(influences) = page.derived.influences.get(vertex as usize) else {
            continue;
        };
        let class = if vertex == chosen { " class=\"chosen\"" } else { "" };
        let _ = write!(out, "<tr{class}><th scope=\"row\">v{vertex}</th>");
        for lane in 0..lanes {
            let joint = influences.joints[lane].0;
            let weight = influences.weights[lane];
            let class = if weight == 0.0 { " class=\"quiet\"" } else { "" };
            let weight = fixed(weight.into(), 2);
            let _ = write!(out, "<td{class}>{joint}</td><td{class}>{weight}</td>");
        }
        let sum = influences.sum();
        let sum_text = fixed(sum.into(), 2);
        let _ = if (sum - 1.0).abs() <= SUM_TOLERANCE {
            write!(out, "<td>{sum_text}</td>")
        } else {
            write!(out, "<td class=\"wrong\">{sum_text} ≠ 1</td>")
        };
        let position = page.derived.position(vertex as usize).unwrap_or_default();
        for axis in 0..axes {
            let _ = write!(out, "<td>{}</td>", fixed(position[axis].into(), decimals));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    if vertices.len() > MAX_WEIGHT_ROWS {
        let count = grouped(vertices.len() as u32);
        let _ = writeln!(out, "<p class=\"aside\">{MAX_WEIGHT_ROWS} of {count} vertices.</p>");
    }
}

/// Returns the number of lanes that the cell specifies, else the number that the mesh uses.
fn weight_lanes(cell: &WeightsCell, page: PageState<'_>) -> usize {
    if let Some(lanes) = cell.lanes {
        return lanes.0;
    }
    let used_lanes = page.derived.influences.iter().flat_map(|influences| influences.used());
    used_lanes.map(|(lane, ..)| lane + 1).max().unwrap_or(1).clamp(1, LANES)
}
