//! Operators between matrices: products, whose frames must meet, and
//! differences.

use super::source::Source;
use crate::lesson::MatrixCell;
use crate::skin::NamedTransform;

/// One thing in the row.
pub(super) struct Block {
    /// Written before it: `·`, `=`, `−`; nothing for the first.
    pub(super) operator: &'static str,
    pub(super) source: Source,
    pub(super) role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Factor,
    Product,
    Difference,
}

/// Two touching frames that differ.
pub(super) struct BrokenSeam {
    /// Index of the left factor.
    pub(super) left: usize,
    pub(super) words: String,
}

/// Puts operators between the matrices and works out products and differences.
pub(super) fn arranged(cell: &MatrixCell, sources: Vec<Source>) -> (Vec<Block>, Vec<BrokenSeam>) {
    let plain = |source| Block {
        operator: "",
        source,
        role: Role::Plain,
    };
    if sources.len() < 2 || !(cell.product || cell.difference) {
        return (sources.into_iter().map(plain).collect(), Vec::new());
    }
    if cell.difference {
        let difference = computed(
            NamedTransform {
                mat: sources[0].named.mat - sources[1].named.mat,
                ..sources[0].named
            },
            &sources[0],
            "A − B",
        );
        let blocks = sources
            .into_iter()
            .take(2)
            .chain([difference])
            .zip(["", "−", "="])
            .map(|(source, operator)| Block {
                operator,
                source,
                role: if operator == "=" {
                    Role::Difference
                } else {
                    Role::Plain
                },
            })
            .collect();
        return (blocks, Vec::new());
    }
    product(sources)
}

pub(super) fn product(mut sources: Vec<Source>) -> (Vec<Block>, Vec<BrokenSeam>) {
    let stated = if sources.len() > 2 {
        sources.pop()
    } else {
        None
    };
    let mut seams = Vec::new();
    let mut result = sources[0].named;
    for (left, source) in sources.iter().enumerate().skip(1) {
        result = match result.times(&source.named) {
            Ok(product) => product,
            Err(mismatch) => {
                seams.push(BrokenSeam {
                    left: left - 1,
                    words: capitalised(&mismatch.to_string()),
                });
                mismatch.product
            }
        };
    }
    // The matrix the lesson names stands for the product as long as it is it.
    let result = match stated {
        Some(stated)
            if seams.is_empty()
                && (stated.named.to, stated.named.from) == (result.to, result.from)
                && stated.named.mat.abs_diff_eq(result.mat, 1e-3) =>
        {
            stated
        }
        _ => computed(result, &sources[0], "product"),
    };
    let factors = sources
        .into_iter()
        .enumerate()
        .map(|(index, source)| Block {
            operator: if index == 0 { "" } else { "·" },
            source,
            role: Role::Factor,
        });
    let result = Block {
        operator: "=",
        source: result,
        role: Role::Product,
    };
    (factors.chain([result]).collect(), seams)
}

pub(super) fn computed(named: NamedTransform, like: &Source, title: &str) -> Source {
    Source {
        named,
        owner: like.owner,
        title: title.to_owned(),
        editable: None,
        stored: None,
        note: None,
    }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), chars.as_str()),
        None => String::new(),
    }
}
