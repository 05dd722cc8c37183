(* `levels` finds the hop distance of every vertex: the least number of hyperedges that lead to it from the source.

   `walk k u v`: v is reached from u by crossing k hyperedges. `distance u v k`: by k, and by no fewer. The program is
   levels_program.v, as `hyloop program levels --coq` writes it. *)

From Coq Require Import Arith Bool List Lia.
From Hyloop Require Import Language Facts levels_program.

Section Levels.
  Variables n_v n_e : nat.
  Variable member : nat -> nat -> bool.
  Variable source : nat.
  Hypothesis source_is_a_vertex : 1 <= source <= n_v.

  Inductive walk (u : nat) : nat -> nat -> Prop :=
  | stay : walk u 0 u
  | cross : forall k v w e,
      walk u k v -> 1 <= e <= n_e -> member v e = true -> member w e = true -> 1 <= w <= n_v -> walk u (S k) w.

  Definition distance (v k : nat) : Prop := walk source k v /\ forall j, walk source j v -> k <= j.

  Let after := before n_v member source initial.
  Let step := body n_v n_e member.

  Lemma is_a_vertex : forall k v, walk source k v -> 1 <= v <= n_v.
  Proof. intros k v W. destruct W; assumption. Qed.

  (* What holds before iteration d + 1 of the loop. *)
  Record invariant (d : nat) (s : state) : Prop := {
    at_depth : s.(depth) = d;
    right : forall v, 1 <= v <= n_v -> s.(reached) v = true -> s.(level) v <= d /\ distance v (s.(level) v);
    all : forall v k, k <= d -> walk source k v -> s.(reached) v = true;
    frontier : forall e, 1 <= e <= n_e ->
      (s.(touched) e = true <->
       exists v, 1 <= v <= n_v /\ member v e = true /\ s.(reached) v = true /\ s.(level) v = d);
  }.

  Lemma holds_at_first : invariant 0 after.
  Proof.
    split; cbn.
    - reflexivity.
    - intros v V R. destruct (Nat.eqb_spec v source) as [-> | N]; [| discriminate].
      split; [lia |]. split; [constructor | lia].
    - intros v k K W. replace k with 0 in W by lia. inversion W; subst. now rewrite Nat.eqb_refl.
    - intros e E. unfold containing, vertices. rewrite andb_true_iff, found. split.
      + intros [_ M]. exists source. rewrite Nat.eqb_refl. auto.
      + intros (v & V & M & R & _). destruct (Nat.eqb_spec v source) as [-> | N]; [| discriminate].
        split; [| assumption]. exists source. now rewrite Nat.eqb_refl.
  Qed.

  Definition fresh (s : state) (v : nat) : bool := covered n_e member s.(touched) v && negb (s.(reached) v).

  Lemma fresh_is_next : forall d s v, invariant d s -> 1 <= v <= n_v -> fresh s v = true -> distance v (S d).
  Proof.
    intros d s v I V F. unfold fresh, covered, hyperedges in F.
    apply andb_true_iff in F as [C R]. apply negb_true_iff in R.
    apply found in C as (e & E & T). apply andb_true_iff in T as [T M].
    apply (frontier d s I) in T as (u & U & Mu & Ru & Lu); [| assumption].
    destruct (right d s I u U Ru) as [_ [W _]]. rewrite Lu in W.
    split; [econstructor; eassumption |].
    intros j Wj. destruct (le_lt_dec j d) as [L | G]; [| lia].
    rewrite (all d s I v j L Wj) in R. discriminate.
  Qed.

  Lemma reached_or_fresh : forall d s u v e,
    invariant d s -> 1 <= u <= n_v -> 1 <= v <= n_v -> 1 <= e <= n_e -> member u e = true -> member v e = true ->
    s.(reached) u = true -> s.(reached) v = true \/ fresh s v = true.
  Proof.
    intros d s u v e I U V E Mu Mv R. destruct (right d s I u U R) as [L [W _]].
    destruct (s.(reached) v) eqn:Rv; [now left | right].
    destruct (Nat.eq_dec (s.(level) u) d) as [Q | N].
    - unfold fresh. rewrite Rv, andb_true_r. unfold covered, hyperedges. apply found. exists e. split; [assumption |].
      apply andb_true_iff. split; [| assumption]. apply (frontier d s I); [assumption |]. exists u. auto.
    - assert (A : s.(reached) v = true).
      { apply (all d s I v (S (s.(level) u))); [lia |]. econstructor; eassumption. }
      congruence.
  Qed.

  (* An iteration with a fresh vertex goes one level deeper, *)
  Lemma deeper : forall d s, invariant d s -> any (vertices n_v) (fresh s) = true ->
    invariant (S d) (fst (step s)) /\ snd (step s) = false.
  Proof.
    intros d s I A.
    assert (S1 : step s = (State (fun v => if true && fresh s v then s.(depth) + 1 else s.(level) v)
                                 (fun v => if true && fresh s v then true else s.(reached) v)
                                 (touching n_v member (fresh s)) (s.(depth) + 1), false)).
    { unfold step, body. fold (fresh s). change (fun i : nat => covered n_e member (touched s) i && negb (reached s i))
        with (fresh s). rewrite A. reflexivity. }
    rewrite S1. split; [| reflexivity]. pose proof (at_depth d s I) as D. split; cbn [fst depth level reached touched].
    - lia.
    - intros v V R. cbn in *. destruct (fresh s v) eqn:F.
      + rewrite D. replace (d + 1) with (S d) by lia. split; [lia |]. now apply (fresh_is_next d s).
      + destruct (right d s I v V R) as [L W]. auto.
    - intros v k K W. cbn. destruct (fresh s v) eqn:F; [reflexivity |].
      destruct (le_lt_dec k d) as [L | G]; [now apply (all d s I v k) |].
      replace k with (S d) in W by lia. clear D. inversion W as [| k' u w e Wu E Mu Mv V]; subst.
      assert (Ru : s.(reached) u = true) by (apply (all d s I u d); [lia | assumption]).
      destruct (reached_or_fresh d s u v e I (is_a_vertex _ _ Wu) V E Mu Mv Ru) as [R | N]; congruence.
    - intros e E. unfold touching, vertices. rewrite found. split.
      + intros (v & V & T). apply andb_true_iff in T as [F M]. exists v. cbn. rewrite F. repeat split; try lia; auto.
      + intros (v & V & M & R & Q). exists v. split; [assumption |]. apply andb_true_iff. split; [| assumption].
        cbn in R, Q. destruct (fresh s v) eqn:F; [reflexivity |].
        destruct (right d s I v V R) as [L _]. lia.
  Qed.

  (* and one without ends the loop, with nothing changed. *)
  Lemma last : forall s, any (vertices n_v) (fresh s) = false ->
    snd (step s) = true /\ (forall v, (fst (step s)).(level) v = s.(level) v) /\
    (forall v, (fst (step s)).(reached) v = s.(reached) v).
  Proof.
    intros s A. unfold step, body.
    change (fun i : nat => covered n_e member (touched s) i && negb (reached s i)) with (fresh s).
    rewrite A. cbn. auto.
  Qed.

  Lemma all_reached : forall d s, invariant d s -> any (vertices n_v) (fresh s) = false ->
    forall k v, walk source k v -> s.(reached) v = true.
  Proof.
    intros d s I A k v W. induction W as [| k u v e W IH E Mu Mv V].
    - apply (all d s I source 0); [lia | constructor].
    - destruct (reached_or_fresh d s u v e I (is_a_vertex _ _ W) V E Mu Mv IH) as [R | F]; [assumption |].
      exfalso. assert (T : any (vertices n_v) (fresh s) = true) by (apply found; eauto). congruence.
  Qed.

  (* Each iteration reaches another vertex, so n_v iterations are enough. *)
  Lemma ends : forall more d s, invariant d s -> d < count n_v s.(reached) -> n_v <= more + d ->
    exists d' s', iterate step more s = (fst (step s'), true) /\ invariant d' s' /\ any (vertices n_v) (fresh s') = false.
  Proof.
    induction more as [| more IH]; intros d s I C M.
    - pose proof (count_at_most n_v s.(reached)). lia.
    - cbn [iterate]. destruct (step s) as [next stop] eqn:Q. destruct (any (vertices n_v) (fresh s)) eqn:A.
      + destruct (deeper d s I A) as [I' N]. rewrite Q in I', N. cbn in I', N. rewrite N. apply (IH (S d)); [assumption | | lia].
        apply Nat.le_lt_trans with (count n_v s.(reached)); [lia |].
        apply found in A as (v & V & F). apply (count_grows n_v _ _ v V).
        * intros u _ R. replace next with (fst (step s)) by now rewrite Q. unfold step, body. cbn.
          destruct (negb _ && _); [reflexivity | assumption].
        * unfold fresh in F. apply andb_true_iff in F as [_ F]. now apply negb_true_iff in F.
        * pose proof (fresh_is_next d s v I V F) as [W _]. now apply (all (S d) next I' v (S d)).
      + destruct (last s A) as [Y _]. rewrite Q in Y. cbn in Y. subst stop.
        exists d, s. rewrite Q. auto.
  Qed.

  (* The loop stops within its bound. Then a vertex is reached if and only if it can be, and its level is its distance. *)
  Theorem levels_are_distances :
    exists s, run n_v n_e member source = (s, true) /\
      forall v, 1 <= v <= n_v ->
        (s.(reached) v = true -> distance v (s.(level) v)) /\
        (s.(reached) v = false -> forall k, ~ walk source k v).
  Proof.
    destruct (ends n_v 0 after holds_at_first) as (d & s & R & I & A).
    - apply Nat.le_lt_trans with (count n_v (fun _ => false)); [lia |]. apply (count_grows n_v _ _ source); auto; [discriminate |].
      cbn. now rewrite Nat.eqb_refl.
    - lia.
    - destruct (last s A) as (_ & L & Q). exists (fst (step s)). split; [exact R |]. intros v V. rewrite L, Q. split.
      + intros Rv. exact (proj2 (right d s I v V Rv)).
      + intros N k W. rewrite (all_reached d s I A k v W) in N. discriminate.
  Qed.
End Levels.

Print Assumptions levels_are_distances.
