(* What the operations of hyloop's language mean, as docs/language.md has them.

   A hypergraph has the vertices 1 .. n_v and the hyperedges 1 .. n_e. An array over one of them is a function from
   numbers; what it is beyond their last does not matter. Flags are bool; counts are nat; a pointer is a nat, 0 for none;
   a length is a nat or infinite.
   `hyloop program NAME --coq` writes a program as one record of states and two functions over these. *)

From Coq Require Import Arith Bool List.

Section Hypergraph.
  Variables n_v n_e : nat.
  Variable member : nat -> nat -> bool. (* of a vertex in a hyperedge *)

  Definition vertices : list nat := seq 1 n_v.
  Definition hyperedges : list nat := seq 1 n_e.

  (* The members of a hyperedge, and the hyperedges of a vertex; none has none. *)
  Definition members_of (e : nat) : nat -> bool := fun v => existsb (Nat.eqb e) hyperedges && member v e.
  Definition containing (v : nat) : nat -> bool := fun e => existsb (Nat.eqb v) vertices && member v e.

  (* Vertices in a marked hyperedge; hyperedges with a marked vertex. *)
  Definition covered (marked : nat -> bool) : nat -> bool :=
    fun v => existsb (fun e => marked e && member v e) hyperedges.
  Definition touching (marked : nat -> bool) : nat -> bool :=
    fun e => existsb (fun v => marked v && member v e) vertices.

  (* Whether a flag is set somewhere. *)
  Definition any (rows : list nat) (flag : nat -> bool) : bool := existsb flag rows.
End Hypergraph.

(* Lengths. *)
Definition Length := option nat.
Definition infinity : Length := None.
Definition plus (a b : Length) : Length := match a, b with Some x, Some y => Some (x + y) | _, _ => None end.
Definition same (a b : Length) : bool :=
  match a, b with Some x, Some y => x =? y | None, None => true | _, _ => false end.
Definition less (a b : Length) : bool :=
  match a, b with Some x, Some y => x <? y | Some _, None => true | None, _ => false end.

(* Searches: the lowest number among several; what is infinite is no candidate; none of nothing. *)
Definition first (rows : list nat) (flag : nat -> bool) : nat :=
  match find flag rows with Some i => i | None => 0 end.
Fixpoint argmin (rows : list nat) (key : nat -> Length) : nat :=
  match rows with
  | nil => 0
  | i :: others => let j := argmin others key in
      if same (key i) infinity then j else if (j =? 0) || negb (less (key j) (key i)) then i else j
  end.
Definition least (rows : list nat) (key : nat -> Length) : Length :=
  if argmin rows key =? 0 then infinity else key (argmin rows key).

(* An entry of an array; the kind's zero at none. *)
Definition read {A : Type} (zero : A) (rows : list nat) (array : nat -> A) (at_ : nat) : A :=
  if existsb (Nat.eqb at_) rows then array at_ else zero.

(* A loop: `body` gives the new states and whether to stop. At most so many iterations; false: it did not stop. *)
Fixpoint iterate {state : Type} (body : state -> state * bool) (at_most : nat) (s : state) : state * bool :=
  match at_most with
  | 0 => (s, false)
  | S fewer => let '(next, stop) := body s in if stop then (next, true) else iterate body fewer next
  end.
