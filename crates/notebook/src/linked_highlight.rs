//! Highlighting of the hovered entity wherever the page shows it.

use bindpose_lesson::FormulaSubject;
use bindpose_skin::JointIndex;

/// Something that appears in several parts of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entity {
    /// A joint: its marker, matrices, rows and mentions in the prose.
    Joint(JointIndex),
    Vertex(u32),
    /// Weight of a joint on a vertex.
    Weight(u32, JointIndex),
    /// A column of a joint's matrix, which is a texel of the palette and, for
    /// the first three, an axis.
    Column(JointIndex, usize),
    /// One matrix cell: joint, column, row.
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
    /// Returns the joint that it belongs to, if any.
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

/// The hovered entity. Written by the hovered widget in this frame, read by all
/// widgets in the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkedHighlight {
    hovered: Option<Entity>,
    next: Option<Entity>,
}

impl LinkedHighlight {
    /// Creates a state with this entity highlighted and nothing hovered yet.
    pub fn lit(hovered: Option<Entity>) -> Self {
        Self { hovered, next: None }
    }

    /// Entity hovered so far in this frame.
    pub fn next(&self) -> Option<Entity> {
        self.next
    }

    /// Entity that is highlighted now.
    pub fn hovered(&self) -> Option<Entity> {
        self.hovered
    }

    /// Returns true if this entity is highlighted, or contains or is part of
    /// the highlighted one.
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

    /// Reports the entity under the pointer.
    pub fn hover(&mut self, entity: Entity) {
        self.next = Some(entity);
    }

    /// Ends the frame. Returns true if the highlight changed, so that the page
    /// must be redrawn.
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
    fn weight_highlights_its_joint_and_vertex() {
        let mut linked = LinkedHighlight::default();
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
    fn column_highlights_its_joint_and_cells() {
        let mut linked = LinkedHighlight::default();
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
