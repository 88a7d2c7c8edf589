//! Rules on the places where code may use certain names.

use super::{Checkout, Outcome, Rule, RuleReport};

pub const RULES: [Rule; 5] = [
    Rule {
        name: "three d is named where its types are wrapped",
        check: three_d_is_named_where_its_types_are_wrapped,
    },
    Rule { name: "unsafe stays in the renderer", check: unsafe_stays_in_the_renderer },
    Rule { name: "colours are named in the theme", check: colours_are_named_in_the_theme },
    Rule {
        name: "cells keep their state in types of their own",
        check: cells_keep_their_state_in_types_of_their_own,
    },
    Rule { name: "nothing is left unfinished", check: nothing_is_left_unfinished },
];

/// The only files that may use three-d, so that a new version of it affects no others.
const THREE_D: [&str; 3] = [
    "crates/render/src/buffers.rs",
    "crates/render/src/program.rs",
    "crates/render/src/material.rs",
];

/// Cells that may use the memory of egui directly, because they store the state of a single
/// widget, such as the focused button or the dragged object.
const WIDGET_STATE_FILES: [&str; 2] = [
    "crates/page/src/cells/viewport/hover_controls.rs",
    "crates/page/src/cells/viewport/prediction_marks.rs",
];

fn three_d_is_named_where_its_types_are_wrapped(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let files = checkout.all_sources();
    for file in files {
        if THREE_D.contains(&file.name.as_str()) {
            continue;
        }
        for line in file.lines_with_path("three_d") {
            problems.push(format!(
                "{}:{line}: name three_d only in {}; take what you need from there",
                file.name,
                THREE_D.join(", ")
            ));
        }
    }
    Ok(RuleReport { checked_count: files.len(), problems })
}

fn unsafe_stays_in_the_renderer(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let files = checkout.all_sources();
    for file in files {
        let allowed_places = [
            "crates/render/src/",
            "tests/common/",
            "tests/listings/gltf_load.rs",
            "tests/listings/unskinned.rs",
            "tests/listings/whale_skin.rs",
            "benches/gpu/bare.rs",
        ];
        if allowed_places.iter().any(|place| file.name.starts_with(place)) {
            continue;
        }
        for line in file.lines_with_word("unsafe") {
            problems.push(format!(
                "{}:{line}: `unsafe` stands only in crates/render/src, tests/common, the whale's programs that a lesson shows and the bare draw of the bench; put it there behind a safe function",
                file.name
            ));
        }
    }
    Ok(RuleReport { checked_count: files.len(), problems })
}

fn colours_are_named_in_the_theme(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let mut files = checkout.sources("crates/page/src");
    files.extend(checkout.sources("crates/kit/src"));
    for file in &files {
        if file.name.starts_with("crates/kit/src/theme") {
            continue;
        }
        for (number, line) in file.code.lines().enumerate() {
            let has_color_literal = line
                .split("Color32::from_")
                .skip(1)
                .filter_map(|rest| rest.split_once('('))
                .any(|(_, args)| args.trim_start().starts_with(|c: char| c.is_ascii_digit()));
            if has_color_literal {
                problems.push(format!(
                    "{}:{}: give this colour a role in crates/kit/src/theme.rs and use it by name",
                    file.name,
                    number + 1
                ));
            }
        }
    }
    Ok(RuleReport { checked_count: files.len(), problems })
}

fn cells_keep_their_state_in_types_of_their_own(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let files = checkout.sources("crates/page/src/cells");
    for file in &files {
        if WIDGET_STATE_FILES.contains(&file.name.as_str()) {
            continue;
        }
        for word in ["data", "data_mut"] {
            for line in file.lines_with_word(word) {
                let text = file.code.lines().nth(line - 1).unwrap_or_default();
                if text.contains(&format!(".{word}(|")) {
                    problems.push(format!(
                        "{}:{line}: what a cell keeps is a type of its own; use `page.state(id)`",
                        file.name
                    ));
                }
            }
        }
    }
    Ok(RuleReport { checked_count: files.len(), problems })
}

fn nothing_is_left_unfinished(checkout: &Checkout) -> Outcome {
    let marks = [
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("db", "g!("),
        concat!("FIX", "ME"),
        concat!("XX", "X:"),
    ];
    let mut problems = Vec::new();
    let files = checkout.all_sources();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            for mark in marks.iter().filter(|mark| line.contains(**mark)) {
                problems.push(format!(
                    "{}:{}: `{mark}`: finish it, or open an issue and take it out",
                    file.name,
                    number + 1
                ));
            }
        }
    }
    Ok(RuleReport { checked_count: files.len(), problems })
}
