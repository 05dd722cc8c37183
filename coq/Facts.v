(* What follows about searches and counts over the rows 1 .. n. *)

From Coq Require Import Arith Bool List Lia.
From Hyloop Require Import Language.

Lemma in_range : forall n i, In i (seq 1 n) <-> 1 <= i <= n.
Proof. intros n i. rewrite in_seq. lia. Qed.

Lemma found : forall n f, existsb f (seq 1 n) = true <-> exists i, 1 <= i <= n /\ f i = true.
Proof.
  intros n f. rewrite existsb_exists. split; intros [i [I F]]; exists i; rewrite in_range in *; auto.
Qed.

Lemma is_a_row : forall n i, existsb (Nat.eqb i) (seq 1 n) = true <-> 1 <= i <= n.
Proof.
  intros n i. rewrite found. split.
  - intros (j & J & Q). apply Nat.eqb_eq in Q. now subst.
  - intros I. exists i. now rewrite Nat.eqb_refl.
Qed.

(* The first row with a flag. *)
Lemma first_found : forall n f i, 1 <= i <= n -> f i = true ->
  1 <= first (seq 1 n) f <= i /\ f (first (seq 1 n) f) = true.
Proof.
  intros n f. unfold first.
  assert (H : forall n start i, 1 <= start -> start <= i < start + n -> f i = true ->
    1 <= match find f (seq start n) with Some j => j | None => 0 end <= i /\
    f (match find f (seq start n) with Some j => j | None => 0 end) = true).
  { clear n. induction n as [| n IH]; intros start i P I F; [lia |]. cbn. destruct (f start) eqn:Q; [split; [lia | assumption] |].
    apply IH; [lia | | assumption]. destruct (Nat.eq_dec i start); [congruence | lia]. }
  intros i I F. apply H; [lia | lia | assumption].
Qed.

(* The least entry, and the lowest row that has it. *)
Lemma argmin_is_least : forall n key, argmin (seq 1 n) key <> 0 ->
  1 <= argmin (seq 1 n) key <= n /\
  exists k, key (argmin (seq 1 n) key) = Some k /\
    forall i j, 1 <= i <= n -> key i = Some j -> k <= j /\ (j = k -> argmin (seq 1 n) key <= i).
Proof.
  intros n key.
  assert (H : forall n start, 1 <= start -> let m := argmin (seq start n) key in
    (m = 0 /\ forall i, start <= i < start + n -> key i = None) \/
    (start <= m < start + n /\ exists k, key m = Some k /\
      forall i j, start <= i < start + n -> key i = Some j -> k <= j /\ (j = k -> m <= i))).
  { clear n. induction n as [| n IH]; intros start P; cbn; [left; split; [reflexivity | lia] |].
    specialize (IH (S start)). cbn in IH. destruct IH as [[Z N] | (R & k & K & L)]; [lia | |].
    - rewrite Z. cbn. destruct (key start) as [x |] eqn:X; cbn.
      + right. split; [lia |]. exists x. split; [assumption |]. intros i j I J.
        destruct (Nat.eq_dec i start) as [-> | Q]; [replace j with x by congruence; lia |].
        rewrite N in J by lia. discriminate.
      + left. split; [reflexivity |]. intros i I. destruct (Nat.eq_dec i start) as [-> | Q]; [assumption |].
        apply N. lia.
    - destruct (key start) as [x |] eqn:X; cbn.
      + right. set (m := argmin (seq (S start) n) key) in *. destruct (Nat.eqb_spec m 0) as [Z | Z]; [lia |].
        rewrite K. unfold less. destruct (Nat.ltb_spec k x) as [G | G]; cbn [negb orb].
        * split; [lia |]. exists k. split; [assumption |]. intros i j I J.
          destruct (Nat.eq_dec i start) as [-> | Q]; [replace j with x by congruence; lia |]. apply L; [lia | assumption].
        * split; [lia |]. exists x. split; [assumption |]. intros i j I J.
          destruct (Nat.eq_dec i start) as [-> | Q]; [replace j with x by congruence; lia |].
          destruct (L i j) as [L1 L2]; [lia | assumption | lia].
      + right. split; [lia |]. exists k. split; [assumption |]. intros i j I J.
        destruct (Nat.eq_dec i start) as [-> | Q]; [congruence |]. apply L; [lia | assumption]. }
  intros N. destruct (H n 1) as [[Z _] | (R & k & K & L)]; [lia | contradiction |].
  split; [lia |]. exists k. split; [assumption |]. intros i j I J. apply L; [lia | assumption].
Qed.

Lemma argmin_of_nothing : forall n key, argmin (seq 1 n) key = 0 -> forall i, 1 <= i <= n -> key i = None.
Proof.
  intros n key.
  assert (H : forall n start, 1 <= start -> argmin (seq start n) key = 0 ->
    forall i, start <= i < start + n -> key i = None).
  { clear n. induction n as [| n IH]; intros start P; cbn; [lia |]. destruct (key start) as [x |] eqn:X; cbn.
    - destruct (_ || _) eqn:B; [lia |]. intros Z. rewrite Z in B. discriminate.
    - intros Z i I. destruct (Nat.eq_dec i start) as [-> | Q]; [assumption |]. apply (IH (S start)); [lia | assumption | lia]. }
  intros Z i I. apply (H n 1); [lia | assumption | lia].
Qed.

(* On how many rows a flag is set. *)
Definition count (n : nat) (f : nat -> bool) : nat := List.length (filter f (seq 1 n)).

Lemma count_at_most : forall n f, count n f <= n.
Proof.
  intros n f. unfold count. rewrite <- (seq_length n 1) at 2.
  generalize (seq 1 n) as rows. induction rows as [| i rows IH]; cbn; [lia |]. destruct (f i); cbn; lia.
Qed.

Lemma count_grows : forall n f g i, 1 <= i <= n -> (forall j, 1 <= j <= n -> f j = true -> g j = true) ->
  f i = false -> g i = true -> count n f < count n g.
Proof.
  intros n f g i R M F G. apply in_range in R.
  assert (M' : forall j, In j (seq 1 n) -> f j = true -> g j = true) by (intros j J; apply M; now apply in_range).
  clear M. unfold count. induction (seq 1 n) as [| j rows IH]; [easy |].
  assert (L : List.length (filter f rows) <= List.length (filter g rows)).
  { clear - M'. induction rows as [| k rows IH]; cbn; [lia |].
    destruct (f k) eqn:E; [rewrite (M' k (or_intror (or_introl eq_refl)) E); cbn |];
      [| destruct (g k); cbn]; assert (List.length (filter f rows) <= List.length (filter g rows));
      try (apply IH; intros x [-> | X]; apply M'; cbn; auto); lia. }
  assert (IH' : In i rows -> List.length (filter f rows) < List.length (filter g rows)).
  { intros I. apply IH; [assumption |]. intros k K. apply M'. now right. }
  cbn. destruct R as [-> | R].
  - rewrite F, G. cbn. lia.
  - specialize (IH' R). destruct (f j) eqn:E; [rewrite (M' j (or_introl eq_refl) E); cbn; lia |]. destruct (g j); cbn; lia.
Qed.
