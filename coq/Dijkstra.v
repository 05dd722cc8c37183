(* `dijkstra` finds the distance of every vertex, with a predecessor and a hyperedge for each.

   `walk c v`: v is reached from the source by crossing hyperedges whose weights sum to c. `shortest v c`: by c, and by no
   less. The program is dijkstra_program.v, as `hyloop program dijkstra --coq` writes it. *)

From Coq Require Import Arith Bool List Lia.
From Hyloop Require Import Language Facts dijkstra_program.

Section Dijkstra.
  Variables n_v n_e : nat.
  Variable member : nat -> nat -> bool.
  Variable weight : nat -> nat.
  Variable source : nat.
  Hypothesis source_is_a_vertex : 1 <= source <= n_v.
  Hypothesis weights_are_positive : forall e, 1 <= e <= n_e -> 1 <= weight e.

  Inductive walk : nat -> nat -> Prop :=
  | stay : walk 0 source
  | cross : forall c v w e,
      walk c v -> 1 <= e <= n_e -> member v e = true -> member w e = true -> 1 <= w <= n_v -> walk (c + weight e) w.

  Definition shortest (v c : nat) : Prop := walk c v /\ forall other, walk other v -> c <= other.

  Let after := before n_v member weight source initial.
  Let step := body n_v n_e member weight.

  Lemma is_a_vertex : forall c v, walk c v -> 1 <= v <= n_v.
  Proof. intros c v W. destruct W; assumption. Qed.

  (* How v was reached: e is the lowest hyperedge, and p its lowest vertex, that lead to v by its distance d. *)
  Definition comes_from (s : state) (v p e d : nat) : Prop :=
    1 <= e <= n_e /\ member v e = true /\ member p e = true /\ 1 <= p <= n_v /\
    (exists dp, s.(distance) p = Some dp /\ dp + weight e = d) /\
    (forall u du, 1 <= u <= n_v -> member u e = true -> s.(distance) u = Some du -> du + weight e = d -> p <= u) /\
    (forall f u du, 1 <= f <= n_e -> 1 <= u <= n_v -> member v f = true -> member u f = true ->
       s.(distance) u = Some du -> du + weight f = d -> e <= f).

  (* What holds between iterations; b is the distance that was settled last. *)
  Record invariant (b : nat) (s : state) : Prop := {
    from_source : s.(settled) source = true;
    right : forall v, 1 <= v <= n_v -> s.(settled) v = true ->
      exists d, s.(distance) v = Some d /\ d <= b /\ shortest v d;
    unknown : forall v, 1 <= v <= n_v -> s.(settled) v = false ->
      s.(distance) v = None /\ s.(predecessor) v = 0 /\ s.(hyperedge) v = 0;
    tree : forall v d, 1 <= v <= n_v -> s.(distance) v = Some d ->
      (v = source /\ s.(predecessor) v = 0 /\ s.(hyperedge) v = 0) \/
      comes_from s v (s.(predecessor) v) (s.(hyperedge) v) d;
    touched : forall e, 1 <= e <= n_e ->
      (s.(queued) e = true <-> exists v, 1 <= v <= n_v /\ member v e = true /\ s.(settled) v = true);
    waiting : forall e k, 1 <= e <= n_e -> s.(key) e = Some k -> b <= k /\ s.(queued) e = true /\
      exists u d, 1 <= u <= n_v /\ member u e = true /\ s.(settled) u = true /\ s.(distance) u = Some d /\
        k = d + weight e /\
        forall v dv, 1 <= v <= n_v -> member v e = true -> s.(distance) v = Some dv -> d <= dv;
    crossed : forall e, 1 <= e <= n_e -> s.(queued) e = true -> s.(key) e = None ->
      forall v, 1 <= v <= n_v -> member v e = true -> s.(settled) v = true;
  }.

  Lemma contains_source : forall e, containing n_v member source e = member source e.
  Proof.
    intros e. unfold containing, vertices. rewrite (proj2 (is_a_row n_v source) source_is_a_vertex). reflexivity.
  Qed.

  Lemma holds_at_first : invariant 0 after.
  Proof.
    split; cbn.
    - now rewrite Nat.eqb_refl.
    - intros v V R. destruct (Nat.eqb_spec v source) as [-> | N]; [| discriminate].
      exists 0. repeat split; [lia | constructor | lia].
    - intros v V R. destruct (Nat.eqb_spec v source) as [-> | N]; [discriminate | auto].
    - intros v d V D. destruct (Nat.eqb_spec v source) as [-> | N]; [auto | discriminate].
    - intros e E. rewrite contains_source. split.
      + intros M. exists source. rewrite Nat.eqb_refl. destruct (member source e); [auto | discriminate].
      + intros (v & V & M & R). destruct (Nat.eqb_spec v source) as [-> | N]; [now rewrite M | discriminate].
    - intros e k E K. rewrite contains_source in *. destruct (member source e) eqn:M; [| discriminate].
      split; [lia |]. split; [reflexivity |]. exists source, 0. rewrite Nat.eqb_refl.
      injection K as <-. repeat split; solve [assumption | lia].
    - intros e E Q K v V M. rewrite contains_source in *. destruct (member source e); discriminate.
  Qed.

  (* Whoever is not settled is at least as far as some hyperedge that waits. *)
  Lemma beyond : forall b s c v, invariant b s -> walk c v ->
    s.(settled) v = true \/ exists e k, 1 <= e <= n_e /\ s.(key) e = Some k /\ k <= c.
  Proof.
    intros b s c v I W. induction W as [| c u v e W IH E Mu Mv V].
    - left. exact (from_source b s I).
    - destruct IH as [R | (f & k & F & K & L)]; [| right; exists f, k; repeat split; [lia | lia | assumption | lia]].
      pose proof (is_a_vertex _ _ W) as U. destruct (right b s I u U R) as (d & D & _ & _ & Least).
      assert (Q : s.(queued) e = true) by (apply (touched b s I e E); eauto).
      destruct (s.(key) e) as [k |] eqn:K.
      + right. exists e, k. split; [assumption |]. split; [assumption |].
        destruct (waiting b s I e k E K) as (_ & _ & x & dx & _ & _ & _ & _ & -> & Low).
        specialize (Low u d U Mu D). specialize (Least c W). lia.
      + left. exact (crossed b s I e E Q K v V Mv).
  Qed.

  (* One iteration, with the hyperedge e that waits with the least key. *)
  Definition fresh (s : state) (e v : nat) : bool := members_of n_e member e v && negb (s.(settled) v).
  Definition tail (s : state) (e best : nat) : nat :=
    first (vertices n_v)
      (fun v => members_of n_e member e v && s.(settled) v && same (plus (s.(distance) v) (Some (weight e))) (Some best)).
  Definition new (s : state) (e f : nat) : bool := touching n_v member (fresh s e) f && negb (s.(queued) f).

  Definition next (s : state) (e best : nat) : state :=
    State (fun v => if fresh s e v then Some best else s.(distance) v)
      (fun v => if fresh s e v then tail s e best else s.(predecessor) v)
      (fun v => if fresh s e v then e else s.(hyperedge) v)
      (fun v => if fresh s e v then true else s.(settled) v)
      (fun f => if new s e f then Some (best + weight f) else if f =? e then None else s.(key) f)
      (fun f => if new s e f then true else s.(queued) f).

  Lemma steps : forall s e best, 1 <= e <= n_e -> argmin (hyperedges n_e) s.(key) = e -> s.(key) e = Some best ->
    step s = (next s e best, false).
  Proof.
    intros s e best E A K. unfold step, body, least. rewrite A.
    replace (e =? 0) with false by (symmetry; apply Nat.eqb_neq; lia).
    unfold read, hyperedges. rewrite (proj2 (is_a_row n_e e) E), K. reflexivity.
  Qed.

  Lemma of_members : forall e v, 1 <= e <= n_e -> members_of n_e member e v = member v e.
  Proof. intros e v E. unfold members_of, hyperedges. now rewrite (proj2 (is_a_row n_e e) E). Qed.

  Lemma is_fresh : forall s e v, 1 <= e <= n_e -> (fresh s e v = true <-> member v e = true /\ s.(settled) v = false).
  Proof.
    intros s e v E. unfold fresh. rewrite (of_members e v E), andb_true_iff, negb_true_iff. reflexivity.
  Qed.

  Lemma is_new : forall s e f, 1 <= e <= n_e ->
    (new s e f = true <-> s.(queued) f = false /\
       exists v, 1 <= v <= n_v /\ member v f = true /\ member v e = true /\ s.(settled) v = false).
  Proof.
    intros s e f E. unfold new, touching, vertices. rewrite andb_true_iff, negb_true_iff, found. split.
    - intros [(v & V & T) Q]. apply andb_true_iff in T as [F M]. apply (is_fresh s e v E) in F. split; [assumption |].
      exists v. intuition.
    - intros [Q (v & V & Mf & Me & R)]. split; [| assumption]. exists v. split; [assumption |].
      apply andb_true_iff. split; [apply (is_fresh s e v E); auto | assumption].
  Qed.

  Section Iteration.
    Variables (b : nat) (s : state) (e best : nat).
    Hypothesis I : invariant b s.
    Hypothesis E : 1 <= e <= n_e.
    Hypothesis K : s.(key) e = Some best.
    Hypothesis least_key : forall f k, 1 <= f <= n_e -> s.(key) f = Some k -> best <= k /\ (k = best -> e <= f).

    Lemma goes_on : b <= best.
    Proof. exact (proj1 (waiting b s I e best E K)). Qed.

    Lemma settled_near : forall v d, 1 <= v <= n_v -> s.(distance) v = Some d -> s.(settled) v = true /\ d <= b.
    Proof.
      intros v d V D. destruct (s.(settled) v) eqn:R.
      - destruct (right b s I v V R) as (d' & D' & L & _). split; [reflexivity | congruence].
      - destruct (unknown b s I v V R) as [N _]. congruence.
    Qed.

    Lemma not_nearer : forall v c, s.(settled) v = false -> walk c v -> best <= c.
    Proof.
      intros v c R W. destruct (beyond b s c v I W) as [T | (f & k & F & Kf & L)]; [congruence |].
      destruct (least_key f k F Kf). lia.
    Qed.

    (* Where a distance is afterwards. *)
    Lemma distance_next : forall v d, 1 <= v <= n_v -> (next s e best).(distance) v = Some d ->
      (fresh s e v = true /\ d = best) \/ (fresh s e v = false /\ s.(distance) v = Some d /\ d <= b).
    Proof.
      intros v d V D. cbn in D. destruct (fresh s e v); [left; split; [reflexivity | congruence] |].
      right. split; [reflexivity |]. split; [assumption |]. exact (proj2 (settled_near v d V D)).
    Qed.

    Lemma kept : forall v d, 1 <= v <= n_v -> s.(distance) v = Some d -> fresh s e v = false.
    Proof.
      intros v d V D. destruct (settled_near v d V D) as [R _]. destruct (fresh s e v) eqn:F; [| reflexivity].
      apply (is_fresh s e v E) in F. destruct F. congruence.
    Qed.

    (* The tail: a settled vertex of e whose distance and e's weight are `best`; the lowest of them. *)
    Lemma tail_is_right : 1 <= tail s e best <= n_v /\ member (tail s e best) e = true /\
      (exists d, s.(distance) (tail s e best) = Some d /\ d + weight e = best) /\
      forall u d, 1 <= u <= n_v -> member u e = true -> s.(distance) u = Some d -> d + weight e = best ->
        tail s e best <= u.
    Proof.
      destruct (waiting b s I e best E K) as (_ & _ & u & d & U & M & R & D & Q & _).
      set (flag := fun v => members_of n_e member e v && s.(settled) v &&
        same (plus (s.(distance) v) (Some (weight e))) (Some best)).
      assert (Fits : forall u d, 1 <= u <= n_v -> member u e = true -> s.(distance) u = Some d -> d + weight e = best ->
        flag u = true).
      { intros u' d' U' M' D' Q'. unfold flag. rewrite (of_members e u' E), M', (proj1 (settled_near u' d' U' D')), D'.
        cbn. now apply Nat.eqb_eq. }
      pose proof (Fits u d U M D (eq_sym Q)) as Fu.
      destruct (first_found n_v flag u U Fu) as [L T]. fold flag in L, T.
      change (first (seq 1 n_v) flag) with (tail s e best) in L, T.
      assert (B : 1 <= tail s e best <= n_v) by lia.
      unfold flag in T. rewrite (of_members e _ E) in T. apply andb_true_iff in T as [T S1]. apply andb_true_iff in T as [M' _].
      split; [assumption |]. split; [assumption |]. split.
      - destruct (s.(distance) (tail s e best)) as [x |]; [| discriminate]. exists x. split; [reflexivity |].
        cbn in S1. now apply Nat.eqb_eq in S1.
      - intros u' d' U' M2 D' Q'. destruct (first_found n_v flag u' U' (Fits u' d' U' M2 D' Q')) as [L' _].
        change (first (seq 1 n_v) flag) with (tail s e best) in L'. lia.
    Qed.

    Lemma best_is_shortest : forall v, 1 <= v <= n_v -> fresh s e v = true -> shortest v best.
    Proof.
      intros v V F. apply (is_fresh s e v E) in F as [M R].
      destruct (waiting b s I e best E K) as (_ & _ & u & d & U & Mu & Ru & D & Q & _).
      destruct (right b s I u U Ru) as (d' & D' & _ & W & _). replace d' with d in W by congruence. split.
      - rewrite Q. econstructor; eassumption.
      - intros c Wc. apply (not_nearer v c); assumption.
    Qed.

    (* What a path to a vertex looks like afterwards. *)
    Lemma comes_from_next : forall v p f d, d <= b -> comes_from s v p f d -> comes_from (next s e best) v p f d.
    Proof.
      intros v p f d L (F & Mv & Mp & P & (dp & Dp & Q) & Low & LowF). pose proof goes_on as G.
      repeat split; try assumption; try lia.
      - exists dp. split; [| assumption]. cbn. now rewrite (kept p dp P Dp).
      - intros u du U Mu Du Qu. destruct (distance_next u du U Du) as [[_ ->] | (_ & Du' & _)].
        + pose proof (weights_are_positive f F). lia.
        + exact (Low u du U Mu Du' Qu).
      - intros f' u du F' U Mv' Mu Du Qu. destruct (distance_next u du U Du) as [[_ ->] | (_ & Du' & _)].
        + pose proof (weights_are_positive f' F'). lia.
        + exact (LowF f' u du F' U Mv' Mu Du' Qu).
    Qed.

    Lemma fresh_comes_from : forall v, 1 <= v <= n_v -> fresh s e v = true ->
      comes_from (next s e best) v (tail s e best) e best.
    Proof.
      intros v V F. destruct tail_is_right as (T & Mt & (dt & Dt & Qt) & Low).
      apply (is_fresh s e v E) in F as [Mv Rv]. repeat split; try assumption; try lia.
      - exists dt. split; [| assumption]. cbn. now rewrite (kept _ dt T Dt).
      - intros u du U Mu Du Qu. destruct (distance_next u du U Du) as [[_ ->] | (_ & Du' & _)].
        + pose proof (weights_are_positive e E). lia.
        + exact (Low u du U Mu Du' Qu).
      - intros f u du F U Mvf Muf Du Qu. destruct (distance_next u du U Du) as [[_ ->] | (_ & Du' & _)].
        + pose proof (weights_are_positive f F). lia.
        + destruct (settled_near u du U Du') as [Ru _].
          assert (Qf : s.(queued) f = true) by (apply (touched b s I f F); eauto).
          destruct (s.(key) f) as [k |] eqn:Kf.
          * destruct (waiting b s I f k F Kf) as (_ & _ & x & dx & _ & _ & _ & _ & -> & Lowx).
            specialize (Lowx u du U Muf Du'). destruct (least_key f _ F Kf) as [L1 L2]. apply L2. lia.
          * pose proof (crossed b s I f F Qf Kf v V Mvf). congruence.
    Qed.

    Lemma still : invariant best (next s e best).
    Proof.
      pose proof goes_on as G. split.
      - cbn. rewrite (from_source b s I). now destruct (fresh s e source).
      - intros v V R. cbn in *. destruct (fresh s e v) eqn:F.
        + exists best. split; [reflexivity |]. split; [lia |]. now apply best_is_shortest.
        + destruct (right b s I v V R) as (d & D & L & S1). exists d. split; [assumption |]. split; [lia | assumption].
      - intros v V R. cbn in *. destruct (fresh s e v) eqn:F; [discriminate |]. exact (unknown b s I v V R).
      - intros v d V D. destruct (distance_next v d V D) as [[F ->] | (F & D' & L)].
        + right. cbn. rewrite F. now apply fresh_comes_from.
        + destruct (tree b s I v d V D') as [(S1 & P & H) | C].
          * left. cbn. rewrite F. auto.
          * right. cbn [predecessor hyperedge next]. rewrite F. now apply comes_from_next.
      - intros f F. cbn. destruct (new s e f) eqn:N.
        + apply (is_new s e f E) in N as [_ (v & V & Mf & Me & R)]. split; [| reflexivity]. intros _.
          exists v. rewrite (proj2 (is_fresh s e v E) (conj Me R)). auto.
        + rewrite (touched b s I f F). split.
          * intros (v & V & M & R). exists v. rewrite R. destruct (fresh s e v); auto.
          * intros (v & V & M & R). destruct (fresh s e v) eqn:Fv; [| eauto]. apply (touched b s I f F).
            destruct (s.(queued) f) eqn:Q; [reflexivity |]. exfalso.
            apply (is_fresh s e v E) in Fv as [Me Rv].
            assert (new s e f = true) by (apply (is_new s e f E); split; [assumption | exists v; auto]). congruence.
      - intros f k F Kf. cbn in Kf. cbn [queued next]. destruct (new s e f) eqn:N.
        + injection Kf as <-. apply (is_new s e f E) in N as [Q (v & V & Mf & Me & R)]. split; [lia |].
          split; [reflexivity |]. exists v, best. cbn. rewrite (proj2 (is_fresh s e v E) (conj Me R)).
          repeat split; try assumption; try lia. intros u du U Mu Du.
          destruct (fresh s e u) eqn:Fu; [injection Du; lia |]. exfalso.
          destruct (settled_near u du U Du) as [Ru _].
          assert (s.(queued) f = true) by (apply (touched b s I f F); eauto). congruence.
        + destruct (Nat.eqb_spec f e) as [-> | X]; [discriminate |].
          destruct (waiting b s I f k F Kf) as (_ & Q & u & d & U & Mu & Ru & D & -> & Low).
          destruct (least_key f _ F Kf) as [L _]. split; [assumption |]. split; [assumption |].
          exists u, d. cbn. rewrite (kept u d U D), Ru. repeat split; try assumption; try lia.
          intros v dv V Mv Dv. destruct (fresh s e v) eqn:Fv; [| exact (Low v dv V Mv Dv)].
          injection Dv as <-. pose proof (proj2 (settled_near u d U D)). lia.
      - intros f F Q Kf v V M. cbn in *. destruct (new s e f) eqn:N; [discriminate |].
        destruct (Nat.eqb_spec f e) as [-> | X].
        + destruct (fresh s e v) eqn:Fv; [reflexivity |]. destruct (s.(settled) v) eqn:R; [reflexivity |].
          assert (fresh s e v = true) by (apply (is_fresh s e v E); auto). congruence.
        + rewrite (crossed b s I f F Q Kf v V M). now destruct (fresh s e v).
    Qed.

    (* A hyperedge is crossed once. *)
    Definition done (t : state) (f : nat) : bool := t.(queued) f && same (t.(key) f) infinity.

    Lemma one_more : count n_e (done s) < count n_e (done (next s e best)).
    Proof.
      apply (count_grows n_e _ _ e E).
      - intros f F D. unfold done in *. apply andb_true_iff in D as [Q Kf]. cbn.
        assert (N : new s e f = false). { unfold new. rewrite Q. apply andb_false_r. }
        rewrite N, Q. cbn. now destruct (f =? e).
      - unfold done. rewrite K. apply andb_false_r.
      - unfold done. cbn. assert (Q : s.(queued) e = true) by exact (proj1 (proj2 (waiting b s I e best E K))).
        assert (N : new s e e = false). { unfold new. rewrite Q. apply andb_false_r. }
        now rewrite N, Q, Nat.eqb_refl.
    Qed.
  End Iteration.

  (* An iteration that finds nothing waiting ends the loop, with nothing of the result changed. *)
  Lemma last : forall s, argmin (hyperedges n_e) s.(key) = 0 -> snd (step s) = true /\
    (fst (step s)).(distance) = s.(distance) /\ (fst (step s)).(predecessor) = s.(predecessor) /\
    (fst (step s)).(hyperedge) = s.(hyperedge).
  Proof. intros s A. unfold step, body. rewrite A. cbn. auto. Qed.

  Lemma ends : forall more b s, invariant b s -> n_e < more + count n_e (done s) ->
    exists b' s', iterate step more s = (fst (step s'), true) /\ invariant b' s' /\
      argmin (hyperedges n_e) s'.(key) = 0.
  Proof.
    induction more as [| more IH]; intros b s I C.
    - pose proof (count_at_most n_e (done s)). lia.
    - cbn [iterate]. destruct (Nat.eq_dec (argmin (hyperedges n_e) s.(key)) 0) as [Z | N].
      + exists b, s. destruct (last s Z) as [Y _]. destruct (step s) as [t stop]. cbn in Y. subst stop. auto.
      + destruct (argmin_is_least n_e s.(key) N) as (E & best & K & L).
        set (e := argmin (hyperedges n_e) s.(key)) in *. fold (hyperedges n_e) in E, K, L. fold e in E, K, L.
        rewrite (steps s e best E eq_refl K). apply (IH best).
        * apply (still b s e best I E K). intros f k F Kf. exact (L f k F Kf).
        * pose proof (one_more b s e best I E K) as M. lia.
  Qed.

  (* The loop stops within its bound. Then the distance of a vertex is the least that any walk to it has, infinite if there
     is none; and predecessor and hyperedge lead back to the source along such walks, by the lowest numbers. *)
  Theorem dijkstra_is_right :
    exists s, run n_v n_e member weight source = (s, true) /\
      forall v, 1 <= v <= n_v ->
        (forall d, s.(distance) v = Some d -> shortest v d) /\
        (s.(distance) v = None -> forall c, ~ walk c v) /\
        ((s.(predecessor) v = 0 /\ s.(hyperedge) v = 0) <-> (v = source \/ s.(distance) v = None)) /\
        (forall d, s.(distance) v = Some d -> v <> source -> comes_from s v (s.(predecessor) v) (s.(hyperedge) v) d).
  Proof.
    destruct (ends (n_e + 1) 0 after holds_at_first) as (b & s & R & I & A); [lia |].
    destruct (last s A) as (_ & D & P & H). exists (fst (step s)). split; [exact R |]. intros v V. rewrite D, P, H.
    assert (None_waits : forall e, 1 <= e <= n_e -> s.(key) e = None).
    { intros e E. exact (argmin_of_nothing n_e s.(key) A e E). }
    assert (C : forall u p e d, comes_from s u p e d -> comes_from (fst (step s)) u p e d).
    { intros u p e d. unfold comes_from. now rewrite D. }
    split; [| split; [| split; [split |]]].
    - intros d Q. destruct (settled_near b s I v d V Q) as [T _]. destruct (right b s I v V T) as (d' & D' & _ & S1).
      replace d with d' by congruence. exact S1.
    - intros N c W. destruct (beyond b s c v I W) as [T | (e & k & E & K & _)].
      + destruct (right b s I v V T) as (d' & D' & _). congruence.
      + rewrite (None_waits e E) in K. discriminate.
    - intros [Zp Zh]. destruct (s.(distance) v) as [d |] eqn:Q; [| now right]. left.
      destruct (tree b s I v d V Q) as [(S1 & _) | (F & _)]; [assumption | lia].
    - intros [-> | N].
      + destruct (right b s I source V (from_source b s I)) as (d & Q & _ & _ & Least).
        destruct (tree b s I source d V Q) as [(_ & Z) | (F & _ & _ & _ & (dp & _ & Qd) & _)]; [assumption |].
        pose proof (Least 0 stay). pose proof (weights_are_positive _ F). lia.
      + destruct (s.(settled) v) eqn:T; [destruct (right b s I v V T) as (d & Q & _); congruence |].
        exact (proj2 (unknown b s I v V T)).
    - intros d Q N. destruct (tree b s I v d V Q) as [(S1 & _) | Y]; [contradiction | now apply C].
  Qed.
End Dijkstra.

Print Assumptions dijkstra_is_right.
