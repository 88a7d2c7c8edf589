//! A product of matrices that is taken apart: its factors in a line, moved, added,
//! taken out, inverted and transposed; what it comes to, number by number; and the
//! way of a vertex through it.

mod line;
#[cfg(test)]
mod tests;

use bindpose_lesson::{ChainCell, MatrixProduct, MatrixRef};
use bindpose_notebook::chain::{
    ChainProduct, ChainState, Travel, chain_of, chains_at, comes_to_goal,
};
use bindpose_notebook::matrix::{PageMatrix, resolve};
use bindpose_notebook::number_text::point;
use bindpose_notebook::{Edit, Entity};
use bindpose_skin::NamedTransform;
use eframe::egui::{RichText, Ui};

use crate::cells::matrix;
use crate::prose::text_ui;
use crate::theme::{CAPTION, CARD, LEAD, SMALL, font};
use crate::widgets::scrub::Slider;
use crate::widgets::{
    Emphasis, Scrub, Tone, card, card_heading, option_button, small_button, tick,
};
use crate::{PageContext, touch};
use line::ChainCellState;

/// Digits of a vertex under way, where its cell does not say.
const DECIMALS: usize = 2;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ChainCell, id: &str, page: &mut PageContext<'_>) {
    let Some(goal) = &cell.goal else {
        page.with_state(id, |memory, page| content(ui, cell, id, None, memory, page));
        return;
    };
    page.with_state(id, |memory: &mut ChainCellState, page| {
        let chain = chain_of(page.document, id, cell);
        let comes = judged(memory, &chain.product, goal, page);
        let tone = if comes { Tone::Right } else { Tone::Task };
        card(ui, page.theme, tone, |ui| {
            ui.spacing_mut().item_spacing.y = 6.0;
            let heading = if cell.ladder { "Ladder" } else { "Exercise" };
            card_heading(ui, page.theme, tone, heading, |ui| {
                ladder_standing(ui, cell, &chain, comes, page);
            });
            if let Some(ask) = &cell.ask {
                text_ui(ui, ask, LEAD, Emphasis::Plain, page);
            }
            content(ui, cell, id, Some(comes), memory, page);
            let last = chain.rung == *cell.rungs().end();
            if let Some(words) = cell.solved.as_ref().filter(|_| comes && last) {
                text_ui(ui, words, CARD, Emphasis::Plain, page);
            }
        });
    });
}

/// `comes`: whether it comes to its goal, where it has one.
fn content(
    ui: &mut Ui,
    cell: &ChainCell,
    id: &str,
    comes: Option<bool>,
    memory: &mut ChainCellState,
    page: &mut PageContext<'_>,
) {
    let chain = chain_of(page.document, id, cell);
    let product = match ChainProduct::resolved(&chain.product, page.document, page.derived) {
        Ok(product) => product,
        Err(words) => {
            ui.label(RichText::new(words).color(page.theme.wrong));
            return;
        }
    };
    let count = product.factors.len();
    memory.selected = memory.selected.min(count.saturating_sub(1));
    memory.cut = memory.cut.clamp(1, count.saturating_sub(1).max(1));
    let travel = travel_of(cell, &product, page);
    let vertex = travel.as_ref().map(|travel| travel.vertex);
    let changed = line::ui(ui, id, &chain, &product, vertex, memory, page);
    let ends = vertex.and_then(|_| Travel::seam(&product));
    let seams: Vec<String> =
        product.seams().into_iter().chain(ends).map(|seam| seam.words).collect();
    if let Some((goal, comes)) = cell.goal.as_ref().zip(comes) {
        ui.horizontal_wrapped(|ui| {
            ladder_verdict(ui, (goal, &seams), &chain, comes, page);
            ladder_buttons(ui, cell, id, &chain, comes, page);
        });
    }
    let travelled = travel.and_then(|travel| travel_ui(ui, (id, cell), &chain, &travel, page));
    // Shown in any case: what stands below would jump.
    let by_tools = line::tools_ui(ui, cell, &chain, &product, memory, page);
    // Under a goal the verdict has said so.
    for seam in seams.iter().filter(|_| cell.goal.is_none()) {
        ui.label(RichText::new(seam).color(page.theme.wrong));
    }
    numbers_ui(ui, cell, id, &product, memory, page);
    let next = changed.or(by_tools).or(travelled);
    if let Some(next) = next.filter(|next| *next != chain) {
        page.edits.push(Edit::Chain(id.to_owned(), next));
    }
}

/// Tried in several poses: only when something has changed.
fn judged(
    memory: &mut ChainCellState,
    product: &MatrixProduct,
    goal: &MatrixRef,
    page: &PageContext<'_>,
) -> bool {
    if let Some(judged) = memory.judged.as_mut().filter(|judged| judged.0 == *product) {
        // How far a vertex has travelled makes no difference.
        judged.1.chains.clone_from(&page.document.state.chains);
        if judged.1 == page.document.state {
            return judged.2;
        }
    }
    let comes = comes_to_goal(product, goal, page.document, page.lesson, page.derived);
    let state = page.document.state.clone();
    memory.judged = Some(Box::new((product.clone(), state, comes)));
    comes
}

/// Where the vertex is on its way, for pictures: products through which it has set
/// out.
pub(in crate::cells) fn under_way(
    page: &PageContext<'_>,
) -> impl Iterator<Item = (ChainState, Travel)> {
    let chains = chains_at(page.lesson, page.document);
    chains.filter_map(|(id, cell)| {
        let chain = page.document.state.chains.get(id)?.clone();
        if chain.travelled <= 0.0 {
            return None;
        }
        let (document, derived) = (page.document, page.derived);
        let product = ChainProduct::resolved(&chain.product, document, derived).ok()?;
        Some((chain, travel_of(cell, &product, page)?))
    })
}

/// The way of the cell's vertex; `None` where none goes through.
fn travel_of(cell: &ChainCell, product: &ChainProduct, page: &PageContext<'_>) -> Option<Travel> {
    let vertex = cell.vertex.unwrap_or(page.document.state.vertex);
    Travel::through(product, vertex, page.derived).filter(|_| cell.carries_vertex())
}

// How a product stands towards its goal, and the rungs of a ladder.

/// In the heading: which rung, or whether it is solved.
fn ladder_standing(
    ui: &mut Ui,
    cell: &ChainCell,
    chain: &ChainState,
    solved: bool,
    page: &PageContext<'_>,
) {
    if cell.ladder {
        let words = format!("rung {} of {}", chain.rung, cell.rungs().end());
        ui.label(page.theme.label(words));
    }
    if solved {
        tick(ui, page.theme, "Solved", CAPTION);
    }
}

/// Whether it comes to the goal.
fn ladder_verdict(
    ui: &mut Ui,
    (goal, seams): (&MatrixRef, &[String]),
    chain: &ChainState,
    comes: bool,
    page: &PageContext<'_>,
) {
    let Ok(goal) = resolve(goal, page.document, page.derived) else {
        return;
    };
    let goal = format!("{} ({})", goal.name(), goal.title);
    if comes {
        // What is too long for one line is no tick's.
        tick(ui, page.theme, "Right", SMALL);
        let words = format!("It comes to {goal}, in every pose.");
        ui.label(RichText::new(words).size(SMALL).color(page.theme.right));
    } else if chain.product.filled().is_some() && !chain.product.0.is_empty() {
        // Where two do not meet, that is why.
        let words = seams.first().cloned();
        let words = words.unwrap_or_else(|| format!("It does not come to {goal} in every pose."));
        ui.label(RichText::new(words).size(SMALL).color(page.theme.wrong));
    } else {
        ui.label(page.theme.label(format!("It should come to {goal}.")));
    }
}

/// Up and down the ladder.
fn ladder_buttons(
    ui: &mut Ui,
    cell: &ChainCell,
    id: &str,
    chain: &ChainState,
    comes: bool,
    page: &mut PageContext<'_>,
) {
    if !cell.ladder {
        return;
    }
    let (first, last) = cell.rungs().into_inner();
    let mut go = |rung: usize| {
        let chain = ChainState::at_rung(cell, rung);
        page.edits.push(Edit::Chain(id.to_owned(), chain));
    };
    if comes && chain.rung < last {
        let words = match chain.rung + 1 {
            next if next == last => "Next rung: an empty line".to_owned(),
            next => format!("Next rung: {next} places blank"),
        };
        if ui.button(words).clicked() {
            go(chain.rung + 1);
        }
    }
    if chain.rung > first && ui.add(small_button("a rung down")).clicked() {
        go(chain.rung - 1);
    }
    if chain.product != cell.at_rung(chain.rung)
        && ui.add(small_button("this rung again")).clicked()
    {
        go(chain.rung);
    }
}

// The way of a vertex through a product, on one slider.

/// Shows it; the product with the vertex where the reader wants it.
fn travel_ui(
    ui: &mut Ui,
    (id, cell): (&str, &ChainCell),
    chain: &ChainState,
    travel: &Travel,
    page: &mut PageContext<'_>,
) -> Option<ChainState> {
    let factors = travel.stations.len() - 1;
    if factors == 0 {
        return None;
    }
    let name = format!("v{}", travel.vertex);
    let decimals = cell.decimals.unwrap_or(DECIMALS);
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
            let words = format!("{frame} {}", point(&place.to_array()[..axes], decimals));
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

// What a product comes to: two matrices side by side and their product, and the sum
// behind each of its numbers, one after the other.

/// Shows it, or why there is nothing to show.
fn numbers_ui(
    ui: &mut Ui,
    cell: &ChainCell,
    id: &str,
    product: &ChainProduct,
    memory: &mut ChainCellState,
    page: &mut PageContext<'_>,
) {
    if let Some(words) = product.missing() {
        ui.label(page.theme.label(words));
        return;
    }
    let places = 0..product.factors.len();
    let sources = match product.cut(memory.cut) {
        Some([left, right]) => {
            let cut = memory.cut;
            vec![part(product, 0..cut, left), part(product, cut..places.end, right)]
        }
        None => match product.value() {
            Some(value) => vec![part(product, places, value)],
            None => return,
        },
    };
    let sources: Vec<PageMatrix> = sources.into_iter().flatten().collect();
    if sources.len() < 2 {
        memory.stepped = None;
    }
    let at_first = cell.numbers.unwrap_or(cell.goal.is_none());
    let shown = memory.shows_numbers.unwrap_or(at_first);
    let shown = switches(ui, shown, sources.len() == 2, memory, page);
    if !shown {
        return;
    }
    matrix::product_row(ui, (id, cell.decimals), sources, memory.stepped, page);
}

/// Some neighbours as one matrix: that of the factor itself, if it is alone.
fn part(
    product: &ChainProduct,
    places: std::ops::Range<usize>,
    value: NamedTransform,
) -> Option<PageMatrix> {
    let factors = product.factors.get(places)?;
    let first = factors.first()?.as_ref()?;
    if factors.len() == 1 {
        return Some(first.source.clone());
    }
    let title = format!("product of {}", factors.len());
    Some(PageMatrix::read_only(value, first.source.owner, &title))
}

/// Shows and hides the numbers, and goes through the sixteen of the product, row by
/// row. Are they shown now?
fn switches(
    ui: &mut Ui,
    shown: bool,
    has_sums: bool,
    memory: &mut ChainCellState,
    page: &PageContext<'_>,
) -> bool {
    let mut shown = shown;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if ui.add(option_button(shown, "numbers")).clicked() {
            shown = !shown;
            memory.shows_numbers = Some(shown);
        }
        if !shown || !has_sums {
            return;
        }
        ui.label(page.theme.label("one by one:"));
        let at = memory.stepped.map(|(row, column)| row * 4 + column);
        for (words, name, next) in [
            ("◀", "number before", at.map_or(15, |at| (at + 15) % 16)),
            ("▶", "next number", at.map_or(0, |at| (at + 1) % 16)),
        ] {
            let button = ui.add(small_button(words));
            if button.accessible_name(name).clicked() {
                memory.stepped = Some((next / 4, next % 4));
            }
        }
        let Some((row, column)) = memory.stepped else {
            return;
        };
        let words = format!("row {} · column {}", row + 1, column + 1);
        ui.label(RichText::new(words).size(CAPTION));
        if ui.add(small_button("all")).clicked() {
            memory.stepped = None;
        }
    });
    shown
}
