//! What the pointer is over, highlighted wherever the page shows it.

use bindpose_lesson::FormulaSubject;
use bindpose_skin::JointIndex;

/// Something that appears in several places of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entity {
    /// A joint: its marker, its matrices, its rows, its word in the prose.
    Joint(JointIndex),
    /// A vertex.
    Vertex(u32),
    /// The weight that a joint has on a vertex.
    Weight(u32, JointIndex),
    /// A column of a joint's matrix, which is a texel of the palette and, for
    /// the first three, an axis.
    Column(JointIndex, usize),
    /// One cell: joint, column, row.
    Cell(JointIndex, usize, usize),
}

impl From<FormulaSubject> for Entity {
    fn from(subject: FormulaSubject) -> Self {
        match subject {
            FormulaSubject::Vertex(vertex) => Self::Vertex(vertex),
            FormulaSubject::Weight(vertex, joint) => Self::Weight(vertex, joint),
            FormulaSubject::Cell { joint, row, column } => Self::Cell(joint, column, row),
        }
    }
}

impl Entity {
    /// The joint it belongs to, if it does.
    pub fn joint(self) -> Option<JointIndex> {
        match self {
            Self::Joint(joint)
            | Self::Weight(_, joint)
            | Self::Column(joint, _)
            | Self::Cell(joint, ..) => Some(joint),
            Self::Vertex(_) => None,
        }
    }
}

/// What the pointer is over. Written by whoever is hovered in this frame, read
/// by all in the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linked {
    hovered: Option<Entity>,
    next: Option<Entity>,
}

impl Linked {
    /// Where nothing is pointed at yet, and this is lit.
    pub fn lit(hovered: Option<Entity>) -> Self {
        Self { hovered, next: None }
    }

    /// What the pointer was found over so far in this frame.
    pub fn next(&self) -> Option<Entity> {
        self.next
    }

    /// Lit now.
    pub fn hovered(&self) -> Option<Entity> {
        self.hovered
    }

    /// Is this entity lit, or part of what is, or does it hold what is?
    pub fn is_lit(&self, entity: Entity) -> bool {
        let Some(hovered) = self.hovered else {
            return false;
        };
        hovered == entity
            || match (hovered, entity) {
                (Entity::Cell(a, column, _), Entity::Column(b, other))
                | (Entity::Column(a, column), Entity::Cell(b, other, _)) => {
                    a == b && column == other
                }
                (Entity::Weight(a, _), Entity::Vertex(b))
                | (Entity::Vertex(a), Entity::Weight(b, _)) => a == b,
                (Entity::Joint(_), Entity::Joint(_) | Entity::Vertex(_))
                | (Entity::Vertex(_), _)
                | (_, Entity::Vertex(_)) => false,
                (a, Entity::Joint(joint)) | (Entity::Joint(joint), a) => a.joint() == Some(joint),
                _ => false,
            }
    }

    /// Called by what is under the pointer.
    pub fn hover(&mut self, entity: Entity) {
        self.next = Some(entity);
    }

    /// At the end of a frame. True when something else is lit now, so that the
    /// page must be drawn once more.
    pub fn turn(&mut self) -> bool {
        let next = self.next.take();
        let changed = self.hovered != next;
        self.hovered = next;
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_lights_its_joint_and_its_vertex() {
        let mut linked = Linked::default();
        linked.hover(Entity::Weight(4, JointIndex(1)));
        linked.turn();
        assert!(linked.is_lit(Entity::Joint(JointIndex(1))));
        assert!(linked.is_lit(Entity::Vertex(4)));
        assert!(!linked.is_lit(Entity::Joint(JointIndex(0))));
        assert!(!linked.is_lit(Entity::Vertex(1)));
        linked.hover(Entity::Joint(JointIndex(1)));
        linked.turn();
        assert!(linked.is_lit(Entity::Weight(4, JointIndex(1))));
        assert!(!linked.is_lit(Entity::Weight(4, JointIndex(0))));
    }

    #[test]
    fn a_column_lights_its_joint_and_its_cells_and_nothing_else() {
        let mut linked = Linked::default();
        linked.hover(Entity::Column(JointIndex(1), 3));
        assert!(linked.turn());
        assert!(linked.is_lit(Entity::Joint(JointIndex(1))));
        assert!(linked.is_lit(Entity::Cell(JointIndex(1), 3, 0)));
        assert!(!linked.is_lit(Entity::Cell(JointIndex(1), 2, 0)));
        assert!(!linked.is_lit(Entity::Joint(JointIndex(0))));
        assert!(!linked.is_lit(Entity::Vertex(1)));
        assert!(linked.turn(), "nothing hovered in this frame: dark again");
        assert!(!linked.turn());
    }
}
