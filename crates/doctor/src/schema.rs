//! Reports violations of the glTF schema as findings.

use bindpose_gltf::decoding::schema::{SchemaRule, ViolationSink, validate};

use super::catalog::{self as fault, DoctorFault};
use super::document::{RawDocument, WorkTracker};
use super::findings::Findings;

/// Validates the whole JSON. Checks that run later ignore what is reported here.
pub(super) fn examine(doc: &RawDocument<'_>, findings: &mut Findings) {
    let mut sink = FindingsSink { work: &doc.work, findings };
    validate(&doc.root, doc.has_replaced_numbers, &mut sink);
}

struct FindingsSink<'a> {
    work: &'a WorkTracker,
    findings: &'a mut Findings,
}

impl ViolationSink for FindingsSink<'_> {
    fn report(&mut self, rule: SchemaRule, pointer: &str, describe: &dyn Fn() -> (String, String)) {
        let fault = fault_of(rule);
        if !self.findings.try_count(&fault, 1, pointer) {
            let (expected, found) = describe();
            self.findings.add(&fault, pointer).expected(expected, found);
        }
    }

    fn enter_entry(&mut self, index: usize, count: usize) -> bool {
        self.work.advance(index, count)
    }
}

fn fault_of(rule: SchemaRule) -> DoctorFault {
    match rule {
        SchemaRule::Type => fault::TYPE_MISMATCH,
        SchemaRule::RequiredProperty => fault::UNDEFINED_PROPERTY,
        SchemaRule::KnownProperty => fault::UNEXPECTED_PROPERTY,
        SchemaRule::Dependency => fault::UNSATISFIED_DEPENDENCY,
        SchemaRule::NotEmpty => fault::EMPTY_ENTITY,
        SchemaRule::MeshHasPrimitives => fault::MESH_WITHOUT_PRIMITIVES,
        SchemaRule::IndexSign => fault::INVALID_INDEX,
        SchemaRule::Reference => fault::UNRESOLVED_REFERENCE,
        SchemaRule::UniqueEntries => fault::DUPLICATE_ELEMENTS,
        SchemaRule::AllowedValue => fault::VALUE_NOT_IN_LIST,
        SchemaRule::Range => fault::VALUE_NOT_IN_RANGE,
        SchemaRule::MultipleOf => fault::VALUE_MULTIPLE_OF,
        SchemaRule::ListLength => fault::ARRAY_LENGTH_NOT_IN_LIST,
        SchemaRule::VersionPattern => fault::PATTERN_MISMATCH,
        SchemaRule::DeclaredExtension => fault::UNDECLARED_EXTENSION,
    }
}

#[cfg(test)]
mod tests {
    use bindpose_diagnostic::Severity;

    use super::*;

    #[test]
    fn the_reader_rejects_exactly_what_the_catalogue_calls_an_error() {
        for rule in [
            SchemaRule::Type,
            SchemaRule::RequiredProperty,
            SchemaRule::KnownProperty,
            SchemaRule::Dependency,
            SchemaRule::NotEmpty,
            SchemaRule::MeshHasPrimitives,
            SchemaRule::IndexSign,
            SchemaRule::Reference,
            SchemaRule::UniqueEntries,
            SchemaRule::AllowedValue,
            SchemaRule::Range,
            SchemaRule::MultipleOf,
            SchemaRule::ListLength,
            SchemaRule::VersionPattern,
            SchemaRule::DeclaredExtension,
        ] {
            let is_error = fault_of(rule).severity == Severity::Error;
            assert_eq!(rule.is_error(), is_error, "{rule:?}");
        }
    }
}
