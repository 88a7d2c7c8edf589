//! What cells name, kind by kind: parameters, vertices, clips, rigs, attributes.

use bindpose_asset::FileLayout;
use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{BytesCell, CellKind, ClipName, IndicesCell, OutlinePlace, QuantiserCell};

use super::checker::Checker;

impl Checker<'_> {
    pub(super) fn cell(
        &mut self,
        place: OutlinePlace,
        at: LineColumn,
        kind: &CellKind,
        keys: &[(String, LineColumn)],
    ) {
        let key_at = |path: &str| keys.iter().find(|(key, _)| key == path).map_or(at, |k| k.1);
        self.speak_after(place, None);
        match kind {
            CellKind::Angles(cell) => {
                for (index, name) in cell.params.iter().enumerate() {
                    self.param(place, key_at(&format!("params[{index}]")), name, false);
                }
            }
            CellKind::Weights(cell) => {
                for (index, &vertex) in cell.vertices.iter().enumerate() {
                    self.vertex(place, key_at(&format!("vertices[{index}]")), vertex);
                }
            }
            CellKind::Matrix(cell) => self.matrix_cell(place, cell, &key_at),
            CellKind::Pose(_) => self.pose_program(place, key_at("program")),
            CellKind::Vertex(cell) => {
                if let Some(vertex) = cell.vertex {
                    self.vertex(place, key_at("vertex"), vertex);
                }
            }
            CellKind::Plot(cell) => self.plot(place, cell, &key_at),
            CellKind::Budget(cell) => {
                let limit = cell.limit.as_deref().unwrap_or("vec4s");
                for (key, name) in [("limit", Some(limit)), ("others", cell.others.as_deref())] {
                    if let Some(name) = name {
                        self.lesson_param(place, key_at(key), name);
                    }
                }
            }
            CellKind::Chain(cell) => self.chain_cell(place, cell, &key_at),
            CellKind::Indices(IndicesCell { vertex, .. })
            | CellKind::Quantiser(QuantiserCell { vertex, .. }) => {
                let vertex = vertex.iter();
                vertex.for_each(|&vertex| self.vertex(place, key_at("vertex"), vertex));
            }
            CellKind::Stops(cell) => self.stops_cell(place, cell, &key_at),
            CellKind::Timeline(cell) => {
                for (index, name) in cell.clips.iter().enumerate() {
                    let name = ClipName::Name(name.clone());
                    self.clip(place, key_at(&format!("clips[{index}]")), &name);
                }
            }
            CellKind::Check(cell) => self.each_draw(cell, |checker, cell| {
                checker.check_cell(place, cell, &key_at);
            }),
            CellKind::Predict(cell) => self.each_draw(cell, |checker, cell| {
                checker.predict_cell(place, cell, &key_at);
            }),
            CellKind::Ask(cell) => self.each_draw(cell, |checker, cell| {
                checker.ask_cell(place, cell, &key_at);
            }),
            CellKind::Compare(cell) => self.compare_cell(place, cell, &key_at),
            CellKind::Picture(cell) => self.picture_cell(place, cell, &key_at),
            CellKind::Bytes(cell) => {
                if let Some(of) = &cell.of {
                    self.bytes_of(place, key_at("of"), of);
                }
            }
            CellKind::Viewport(cell) => {
                if let Some(rig) = &cell.rig
                    && !self.picture_rig(place, key_at("rig"), at, rig)
                {
                    return;
                }
                for (index, [_, last]) in cell.rings.iter().enumerate() {
                    self.vertex(place, key_at(&format!("rings[{index}]")), *last);
                }
            }
            CellKind::Tree(_)
            | CellKind::Conventions(_)
            | CellKind::Brush(_)
            | CellKind::Doctor(_)
            | CellKind::EngineNumbers(_)
            | CellKind::ModelDifference(_)
            | CellKind::Stages(_)
            | CellKind::Histogram(_)
            | CellKind::Texture(_)
            | CellKind::Shader(_)
            | CellKind::Proof(_)
            | CellKind::Faults(_)
            | CellKind::Note(_)
            | CellKind::Errata(_) => {}
        }
    }

    /// What a `bytes` cell shows first must be in the rig's file.
    fn bytes_of(&mut self, place: OutlinePlace, at: LineColumn, of: &str) {
        let Some(rig) = &self.known_rig else {
            return;
        };
        let Some(layout) = rig.origin.as_ref().and_then(FileLayout::of_origin) else {
            let title = "the rig has no file whose bytes could be shown";
            let wrong = Diagnostic::said("NO_FILE", title);
            self.error_in(place, at, wrong.help("choose a rig that is read from a file"));
            return;
        };
        let attributes = layout.primitives.iter().flat_map(|p| p.attributes.keys());
        let mut known: Vec<&str> = attributes.map(String::as_str).collect();
        known.sort_unstable();
        known.dedup();
        known.push(BytesCell::INVERSE_BIND);
        if !known.contains(&of) {
            let wrong = Diagnostic::unknown("attribute", of, &known)
                .title(format!("the file has no `{of}`"));
            self.error_in(place, at, wrong);
        }
    }
}
