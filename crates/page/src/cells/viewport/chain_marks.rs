//! A vertex on its way through a product: the places that it comes to, and where it
//! is now.

use bindpose_notebook::chain::{ChainState, Travel};
use bindpose_skin::CoordinateFrame;
use eframe::egui::{Painter, Pos2, Stroke, vec2};
use glam::Vec3;

use super::labels::Labels;
use crate::PageContext;
use crate::cells::chain::under_way;
use crate::theme::Theme;
use crate::widgets::frame_look;

/// The way of one vertex, projected.
pub(super) struct ChainMark {
    /// With its frame; `None` behind the eye.
    stations: Vec<(CoordinateFrame, Option<Pos2>)>,
    now: Option<Pos2>,
    vertex: u32,
}

/// All that are under way on the page.
pub(super) fn marks(
    page: &PageContext<'_>,
    project: &dyn Fn(Vec3) -> Option<Pos2>,
) -> Vec<ChainMark> {
    let mark = |(chain, travel): (ChainState, Travel)| ChainMark {
        now: project(travel.place(chain.travelled)),
        stations: travel.stations.iter().map(|&(frame, place)| (frame, project(place))).collect(),
        vertex: travel.vertex,
    };
    under_way(page).map(mark).collect()
}

impl ChainMark {
    pub(super) fn paint(&self, painter: &Painter, theme: &Theme, scale: f32) {
        for pair in self.stations.windows(2) {
            if let [(_, Some(a)), (_, Some(b))] = pair {
                painter.line_segment([*a, *b], Stroke::new(4.5, theme.paper));
                painter.line_segment([*a, *b], Stroke::new(1.5, theme.quiet));
            }
        }
        for &(frame, at) in &self.stations {
            if let Some(at) = at {
                let (color, _) = frame_look(theme, frame);
                painter.circle_filled(at, 6.0 * scale, theme.paper);
                painter.circle_stroke(at, 5.0 * scale, Stroke::new(2.0, color));
            }
        }
        if let Some(at) = self.now {
            painter.circle_filled(at, 8.5 * scale, theme.paper);
            painter.circle_filled(at, 7.0 * scale, theme.accent);
        }
    }

    /// What the labels have to leave free.
    pub(super) fn keep_free(&self, labels: &mut Labels, scale: f32) {
        let stations = self.stations.iter().filter_map(|(_, at)| *at);
        for at in stations.chain(self.now) {
            labels.keep_free(at, 9.0 * scale);
        }
    }

    pub(super) fn write(&self, painter: &Painter, theme: &Theme, labels: &mut Labels, scale: f32) {
        if let Some(at) = self.now {
            let mark = (at, 9.0 * scale);
            let name = format!("v{}", self.vertex);
            labels.write(painter, theme, mark, vec2(1.0, 0.8), (&name, theme.accent));
        }
        for &(frame, at) in &self.stations {
            if let Some(at) = at {
                let mark = (at, 8.0 * scale);
                let words = frame.to_string();
                labels.write(painter, theme, mark, vec2(-1.0, -0.8), (&words, theme.ink));
            }
        }
    }
}
