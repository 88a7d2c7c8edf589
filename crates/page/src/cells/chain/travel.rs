//! The way of a vertex through a product, on one slider.

use bindpose_notebook::Entity;
use bindpose_notebook::chain::{ChainState, Travel};
use bindpose_notebook::number_text::point;
use eframe::egui::{RichText, Ui};

use crate::PageContext;
use crate::theme::{CAPTION, SMALL, font};
use crate::touch;
use crate::widgets::Scrub;
use crate::widgets::slider::Slider;

/// Shows it; the product with the vertex where the reader wants it.
pub(super) fn ui(
    ui: &mut Ui,
    id: &str,
    chain: &ChainState,
    travel: &Travel,
    page: &mut PageContext<'_>,
) -> Option<ChainState> {
    let factors = travel.stations.len() - 1;
    if factors == 0 {
        return None;
    }
    let name = format!("v{}", travel.vertex);
    let mut wanted = None;
    ui.horizontal(|ui| {
        let label = ui.label(page.theme.label(format!("{name} goes through")));
        if touch::is_pointed_at(&label) {
            page.linked.hover(Entity::Vertex(travel.vertex));
        }
        let label = format!("factors that {name} has gone through");
        let number = Scrub::new(("travel", id), f64::from(chain.travelled), label)
            .range(0.0..=factors as f64)
            .limits(0.0..=factors as f64)
            .step(0.05)
            .decimals(2);
        let slider =
            Slider { number: &number, home: 0.0, filled_from: 0.0, color: page.theme.accent };
        let width = ui.available_width();
        let (_, change) = slider.show(ui, width, page.theme);
        wanted = change.map(|change| near_a_station(change.or(0.0) as f32));
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (index, (frame, place)) in travel.stations.iter().enumerate() {
            if index > 0 {
                ui.label(page.theme.label("→"));
            }
            let axes = if page.derived.rig.flat { 2 } else { 3 };
            let words = format!("{frame} {}", point(&place.to_array()[..axes], 2));
            let here = chain.travelled == index as f32;
            let text = RichText::new(words).size(CAPTION);
            let text =
                if here { text.font(font::strong(SMALL)).color(page.theme.accent) } else { text };
            if ui.link(text).clicked() {
                wanted = Some(index as f32);
            }
        }
    });
    wanted.map(|travelled| ChainState {
        travelled: travelled.clamp(0.0, factors as f32),
        ..chain.clone()
    })
}

/// Whole numbers are wide places on the rail.
fn near_a_station(travelled: f32) -> f32 {
    let whole = travelled.round();
    if (travelled - whole).abs() < 0.06 { whole } else { travelled }
}
