//! Findings that follow from another finding, which a report leaves out: mending their cause
//! removes them too.

use bindpose_diagnostic::Diagnostic;

use super::catalog::{self as fault, DoctorFault};
use super::findings::Findings;

/// Faults that a cause brings about.
enum Consequences {
    /// The fault of this code, at any place whose pointer begins so.
    Fault { code: &'static str, begin: &'static str },
    /// All findings about the meaning of numbers, except for the causes themselves.
    Meaning,
}

const fn anywhere(fault: &DoctorFault) -> Consequences {
    Consequences::Fault { code: fault.code, begin: "" }
}

const fn below(fault: &DoctorFault, begin: &'static str) -> Consequences {
    Consequences::Fault { code: fault.code, begin }
}

/// Causes with their consequences.
const CAUSES: &[(&DoctorFault, &[Consequences])] = &[
    (
        &fault::UNSUPPORTED_REQUIRED_EXTENSION,
        &[anywhere(&fault::ACCESSOR_WITHOUT_DATA), Consequences::Meaning],
    ),
    (
        &fault::NODE_MATRIX_BY_ROWS,
        &[
            anywhere(&fault::NODE_MATRIX_NON_TRS),
            anywhere(&fault::REST_IS_NOT_BIND),
            Consequences::Meaning,
        ],
    ),
    (
        &fault::NODES_HOLD_ANGLES,
        &[
            below(&fault::ROTATION_NON_UNIT, "/nodes/"),
            below(&fault::ROTATION_OF_LENGTH_ZERO, "/nodes/"),
            below(&fault::VALUE_NOT_IN_RANGE, "/nodes/"),
        ],
    ),
    (&fault::NODES_OTHER_UNIT, &[anywhere(&fault::CLIP_OTHER_UNIT)]),
    (&fault::NODES_W_FIRST, &[anywhere(&fault::CLIP_W_FIRST)]),
    (&fault::MESH_ALREADY_POSED, &[anywhere(&fault::REST_IS_NOT_BIND)]),
    (&fault::NODE_OTHER_SKIN, &[anywhere(&fault::CLIP_MOVES_NOTHING)]),
    (
        &fault::JOINTS_WRAPPED,
        &[
            anywhere(&fault::CLIP_MOVES_NOTHING),
            anywhere(&fault::MANY_JOINTS),
            anywhere(&fault::ACCESSOR_JOINTS_INDEX_OOB),
        ],
    ),
    (
        &fault::JOINTS_SHIFTED,
        &[anywhere(&fault::CLIP_MOVES_NOTHING), anywhere(&fault::ACCESSOR_JOINTS_INDEX_OOB)],
    ),
    (&fault::JOINTS_OF_NEIGHBOUR, &[anywhere(&fault::MESH_IN_PIECES)]),
    (
        &fault::CLIP_OTHER_ROTATIONS,
        &[
            anywhere(&fault::ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION),
            anywhere(&fault::SPLINE_SIGN_FLIPS),
        ],
    ),
];

/// Removes the findings that follow from others.
pub(super) fn remove(findings: &mut Findings) {
    for (cause, consequences) in CAUSES {
        if findings.contains(cause.code) {
            findings.retain(|finding| {
                finding.code == cause.code
                    || !consequences.iter().any(|consequence| consequence.includes(finding))
            });
        }
    }
}

impl Consequences {
    fn includes(&self, finding: &Diagnostic) -> bool {
        match self {
            Self::Fault { code, begin } => {
                finding.code == *code && finding.at.pointer().starts_with(begin)
            }
            Self::Meaning => fault::ALL_FAULTS
                .iter()
                .any(|fault| fault.code == finding.code && fault.is_semantic),
        }
    }
}
