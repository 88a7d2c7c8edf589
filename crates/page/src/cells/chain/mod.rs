//! A product of matrices that the reader takes apart and puts together. Below its factors are the
//! way of a vertex through the product, and the numbers of the result.

mod factor_row;
mod factor_tag;
#[cfg(test)]
mod tests;
mod tools;

use std::ops::Range;

use bindpose_kit::theme::{CAPTION_SIZE, CARD_SIZE, LEAD_SIZE, SMALL_SIZE, font};
use bindpose_kit::touch;
use bindpose_kit::widgets::scrub::Slider;
use bindpose_kit::widgets::{
    Emphasis, Scrub, Tone, card, card_heading, draw_tick, option_button, small_button,
};
use bindpose_lesson::number_text::point;
use bindpose_lesson::{ChainCell, MatrixProduct, MatrixRef};
use bindpose_notebook::chain::{
    ChainProduct, ChainState, Travel, chain_of, chains_at, comes_to_goal,
};
use bindpose_notebook::matrix::{PageMatrix, resolve};
use bindpose_notebook::{Edit, Entity};
use bindpose_skin::NamedTransform;
use eframe::egui::{RichText, Ui};

use crate::PageContext;
use crate::cells::matrix;
use crate::prose::text_ui;
use factor_row::{ChainCellState, GoalVerdict, draw_factors};
use tools::draw_tools;

/// Decimals of the vertex's coordinates if the cell does not set them.
const DEFAULT_DECIMALS: usize = 2;

/// Distance from a whole number of factors, in factors, below which the slider snaps to it.
const STATION_SNAP_DISTANCE: f32 = 0.06;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ChainCell, id: &str, page: &mut PageContext<'_>) {
    page.with_state(id, |state: &mut ChainCellState, page| {
        let Some(goal) = &cell.goal else {
            draw_content(ui, cell, id, None, state, page);
            return;
        };
        let chain = chain_of(page.document, id, cell);
        let is_right = is_goal_reached(state, &chain.product, goal, page);
        let tone = if is_right { Tone::Right } else { Tone::Task };
        card(ui, page.theme, tone, |ui| {
            ui.spacing_mut().item_spacing.y = 6.0;
            let heading = if cell.ladder { "Ladder" } else { "Exercise" };
            card_heading(ui, page.theme, tone, heading, |ui| {
                if cell.ladder {
                    let progress = format!("rung {} of {}", chain.rung, cell.rungs().end());
                    ui.label(page.theme.label(progress));
                }
                if is_right {
                    let is_shown = page.is_answer_shown(id);
                    let status = if is_shown { "Solution shown" } else { "Solved" };
                    draw_tick(ui, page.theme, status, CAPTION_SIZE);
                }
            });
            if let Some(ask) = &cell.ask {
                text_ui(ui, ask, LEAD_SIZE, Emphasis::Plain, page);
            }
            draw_content(ui, cell, id, Some(is_right), state, page);
            let is_last_rung = chain.rung == *cell.rungs().end();
            if let Some(text) = cell.solved.as_ref().filter(|_| is_right && is_last_rung) {
                text_ui(ui, text, CARD_SIZE, Emphasis::Plain, page);
            }
        });
    });
}

/// Draws the product. `is_right` is `None` if the cell has no goal.
fn draw_content(
    ui: &mut Ui,
    cell: &ChainCell,
    id: &str,
    is_right: Option<bool>,
    state: &mut ChainCellState,
    page: &mut PageContext<'_>,
) {
    let chain = chain_of(page.document, id, cell);
    let product = match ChainProduct::resolved(&chain.product, page.document, page.derived) {
        Ok(product) => product,
        Err(message) => {
            ui.label(RichText::new(message).color(page.theme.wrong));
            return;
        }
    };
    let count = product.factors.len();
    state.selected = state.selected.min(count.saturating_sub(1));
    state.cut = state.cut.clamp(1, count.saturating_sub(1).max(1));
    let travel = travel_through(cell, &product, page);
    let vertex = travel.as_ref().map(|travel| travel.vertex);
    let by_factors = draw_factors(ui, id, &chain, &product, vertex, state, page);
    let mut seam_messages: Vec<String> =
        product.seams().into_iter().map(|seam| seam.words).collect();
    if vertex.is_some() {
        seam_messages.extend(Travel::seam(&product).map(|seam| seam.words));
    }
    if let (Some(goal), Some(is_right)) = (&cell.goal, is_right) {
        ui.horizontal_wrapped(|ui| {
            draw_verdict(ui, goal, &seam_messages, &chain, is_right, page);
            if cell.ladder {
                draw_ladder_buttons(ui, cell, id, &chain, is_right, page);
            }
        });
    }
    let by_travel = travel.and_then(|travel| draw_travel(ui, cell, id, &chain, &travel, page));
    // Drawn even if the product has just changed, because otherwise everything below would move.
    let by_tools = draw_tools(ui, cell, &chain, state, page);
    // With a goal, the verdict contains the first of these messages.
    if cell.goal.is_none() {
        for message in &seam_messages {
            ui.label(RichText::new(message).color(page.theme.wrong));
        }
    }
    draw_numbers(ui, cell, id, &product, state, page);
    if let Some(next) = by_factors.or(by_tools).or(by_travel)
        && next != chain
    {
        page.requests.edits.push(Edit::Chain(id.to_owned(), next));
    }
}

/// Returns true if the product equals the goal in several poses. Cached until the product or the
/// page changes.
fn is_goal_reached(
    state: &mut ChainCellState,
    product: &MatrixProduct,
    goal: &MatrixRef,
    page: &PageContext<'_>,
) -> bool {
    if let Some(verdict) = state.verdict.as_mut().filter(|verdict| verdict.product == *product) {
        // Moving a vertex through the product makes no difference.
        verdict.page_state.chains.clone_from(&page.document.state.chains);
        if verdict.page_state == page.document.state {
            return verdict.is_right;
        }
    }
    let is_right = comes_to_goal(product, goal, page.document, page.lesson, page.derived);
    state.verdict = Some(Box::new(GoalVerdict {
        product: product.clone(),
        page_state: page.document.state.clone(),
        is_right,
    }));
    is_right
}

/// Returns the products of this step through which a vertex is moving, for the pictures.
pub(in crate::cells) fn chains_under_way(
    page: &PageContext<'_>,
) -> impl Iterator<Item = (ChainState, Travel)> {
    chains_at(page.lesson, page.document).filter_map(|(id, cell)| {
        let chain = page.document.state.chains.get(id)?.clone();
        if chain.travelled <= 0.0 {
            return None;
        }
        let product = ChainProduct::resolved(&chain.product, page.document, page.derived).ok()?;
        Some((chain, travel_through(cell, &product, page)?))
    })
}

/// Computes the way of the cell's vertex through the product. Returns `None` if the cell shows
/// none.
fn travel_through(
    cell: &ChainCell,
    product: &ChainProduct,
    page: &PageContext<'_>,
) -> Option<Travel> {
    if !cell.carries_vertex() {
        return None;
    }
    let vertex = cell.vertex.unwrap_or(page.document.state.vertex);
    Travel::through(product, vertex, page.derived)
}

fn draw_verdict(
    ui: &mut Ui,
    goal: &MatrixRef,
    seam_messages: &[String],
    chain: &ChainState,
    is_right: bool,
    page: &PageContext<'_>,
) {
    let Ok(goal) = resolve(goal, page.document, page.derived) else {
        return;
    };
    let goal_name = format!("{} ({})", goal.name(), goal.title);
    if is_right {
        // The sentence is too long for the label of a tick.
        draw_tick(ui, page.theme, "Right", SMALL_SIZE);
        let message = format!("It comes to {goal_name}, in every pose.");
        ui.label(RichText::new(message).size(SMALL_SIZE).color(page.theme.right));
    } else if chain.product.filled().is_some() && !chain.product.0.is_empty() {
        // If two frames do not meet, that is the reason.
        let message = match seam_messages.first() {
            Some(seam_message) => seam_message.clone(),
            None => format!("It does not come to {goal_name} in every pose."),
        };
        ui.label(RichText::new(message).size(SMALL_SIZE).color(page.theme.wrong));
    } else {
        ui.label(page.theme.label(format!("Goal: {goal_name}.")));
    }
}

fn draw_ladder_buttons(
    ui: &mut Ui,
    cell: &ChainCell,
    id: &str,
    chain: &ChainState,
    is_right: bool,
    page: &mut PageContext<'_>,
) {
    let (first, last) = cell.rungs().into_inner();
    let mut chosen_rung = None;
    if is_right && chain.rung < last {
        let next = chain.rung + 1;
        let label = if next == last {
            "Next rung: an empty line".to_owned()
        } else {
            format!("Next rung: {next} places blank")
        };
        if ui.button(label).clicked() {
            chosen_rung = Some(next);
        }
    }
    if chain.rung > first && ui.add(small_button("a rung down")).clicked() {
        chosen_rung = Some(chain.rung - 1);
    }
    if chain.product != cell.at_rung(chain.rung)
        && ui.add(small_button("this rung again")).clicked()
    {
        chosen_rung = Some(chain.rung);
    }
    if let Some(rung) = chosen_rung {
        page.requests.edits.push(Edit::Chain(id.to_owned(), ChainState::at_rung(cell, rung)));
    }
}

/// Draws the slider that moves a vertex through the product, and the coordinates after each
/// factor. Returns the product with the vertex moved by the reader.
fn draw_travel(
    ui: &mut Ui,
    cell: &ChainCell,
    id: &str,
    chain: &ChainState,
    travel: &Travel,
    page: &mut PageContext<'_>,
) -> Option<ChainState> {
    let factor_count = travel.stations.len() - 1;
    if factor_count == 0 {
        return None;
    }
    let name = format!("v{}", travel.vertex);
    let decimals = cell.decimals.map_or(DEFAULT_DECIMALS, |decimals| decimals.0);
    let mut travelled = None;
    ui.horizontal(|ui| {
        let label = ui.label(page.theme.label(format!("{name} goes through")));
        if touch::is_pointed_at(&label) {
            page.linked.hover(Entity::Vertex(travel.vertex));
        }
        let slider_name = format!("factors that {name} has gone through");
        let number = Scrub::new(("travel", id), f64::from(chain.travelled), slider_name)
            .range(0.0..=factor_count as f64)
            .limits(0.0..=factor_count as f64)
            .step(0.05)
            .decimals(2);
        let slider =
            Slider { number: &number, home: 0.0, filled_from: 0.0, color: page.theme.accent };
        let width = ui.available_width();
        let (_, change) = slider.show(ui, width, page.theme);
        travelled = change.map(|change| snap_to_station(change.value_or(0.0) as f32));
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let dimensions = if page.derived.rig.flat { 2 } else { 3 };
        for (index, (frame, position)) in travel.stations.iter().enumerate() {
            if index > 0 {
                ui.label(page.theme.label("→"));
            }
            let coordinates = point(&position.to_array()[..dimensions], decimals);
            let mut text = RichText::new(format!("{frame} {coordinates}")).size(CAPTION_SIZE);
            if chain.travelled == index as f32 {
                text = text.font(font::strong(SMALL_SIZE)).color(page.theme.accent);
            }
            if ui.link(text).clicked() {
                travelled = Some(index as f32);
            }
        }
    });
    travelled.map(|travelled| ChainState {
        travelled: travelled.clamp(0.0, factor_count as f32),
        ..chain.clone()
    })
}

/// Snaps to whole numbers of factors.
fn snap_to_station(travelled: f32) -> f32 {
    let station = travelled.round();
    if (travelled - station).abs() < STATION_SNAP_DISTANCE { station } else { travelled }
}

/// Draws two matrices and their product, with the sum behind each element of it, or why there is
/// no product.
fn draw_numbers(
    ui: &mut Ui,
    cell: &ChainCell,
    id: &str,
    product: &ChainProduct,
    state: &mut ChainCellState,
    page: &mut PageContext<'_>,
) {
    if let Some(reason) = product.missing() {
        ui.label(page.theme.label(reason));
        return;
    }
    let count = product.factors.len();
    let mut sources = Vec::new();
    if let Some([left, right]) = product.cut(state.cut) {
        sources.extend(partial_product(product, 0..state.cut, left));
        sources.extend(partial_product(product, state.cut..count, right));
    } else if let Some(value) = product.value() {
        sources.extend(partial_product(product, 0..count, value));
    } else {
        return;
    }
    if sources.len() < 2 {
        state.stepped_element = None;
    }
    let default_visibility = cell.numbers.unwrap_or(cell.goal.is_none());
    let was_visible = state.shows_numbers.unwrap_or(default_visibility);
    if draw_number_buttons(ui, was_visible, sources.len() == 2, state, page) {
        matrix::draw_product(ui, id, cell.decimals, sources, state.stepped_element, page);
    }
}

/// Returns the product of neighbouring factors as one matrix, or the matrix of a single factor
/// itself.
fn partial_product(
    product: &ChainProduct,
    range: Range<usize>,
    value: NamedTransform,
) -> Option<PageMatrix> {
    let factors = product.factors.get(range)?;
    let first = factors.first()?.as_ref()?;
    if factors.len() == 1 {
        return Some(first.source.clone());
    }
    let title = format!("product of {}", factors.len());
    Some(PageMatrix::read_only(value, first.source.owner, &title))
}

/// Draws the button that shows or hides the numbers, and those that step through the sixteen
/// elements of the product, row by row. Returns true if the numbers are now visible.
fn draw_number_buttons(
    ui: &mut Ui,
    was_visible: bool,
    has_sums: bool,
    state: &mut ChainCellState,
    page: &PageContext<'_>,
) -> bool {
    let mut is_visible = was_visible;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if ui.add(option_button(was_visible, "numbers")).clicked() {
            is_visible = !was_visible;
            state.shows_numbers = Some(is_visible);
        }
        if !is_visible || !has_sums {
            return;
        }
        ui.label(page.theme.label("one by one:"));
        let index = state.stepped_element.map(|(row, column)| row * 4 + column);
        let previous = index.map_or(15, |index| (index + 15) % 16);
        let next = index.map_or(0, |index| (index + 1) % 16);
        for (symbol, name, to) in [("◀", "number before", previous), ("▶", "next number", next)]
        {
            let button = ui.add(small_button(symbol));
            if button.accessible_name(name).clicked() {
                state.stepped_element = Some((to / 4, to % 4));
            }
        }
        let Some((row, column)) = state.stepped_element else {
            return;
        };
        let place = format!("row {} · column {}", row + 1, column + 1);
        ui.label(RichText::new(place).size(CAPTION_SIZE));
        if ui.add(small_button("all")).clicked() {
            state.stepped_element = None;
        }
    });
    is_visible
}
