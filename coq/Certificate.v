(* Certificates of obligations: a function that checks them, and the proof that what it accepts holds.

   The rules are those of checker/check_certificate.py. Here a certificate names every literal with what it says
   (an atom), and every clause by the step that gives it; checker/certificate_to_coq.py writes both from a certificate
   file. Nothing about that needs to be believed: whatever `check` accepts, `checked` has proved. *)

From Coq Require Import ZArith List Bool Lia Strings.Byte FMapPositive.
From Hyloop Require Import Obligation.
Import ListNotations.
Open Scope Z_scope.

(* -- sums of multiples ---------------------------------------------------------------------------------------------- *)

Section Sums.
  Context {K : Type} (order : K -> K -> comparison) (order_eq : forall a b, order a b = Eq -> a = b).
  Variable worth : K -> Z.

  Definition sum := list (K * Z).
  Fixpoint total (s : sum) : Z := match s with [] => 0 | (k, c) :: s => c * worth k + total s end.

  Definition put (k : K) (c : Z) (s : sum) : sum := if c =? 0 then s else (k, c) :: s.

  Fixpoint add (a : sum) : sum -> sum :=
    fix add_to (b : sum) : sum :=
      match a, b with
      | [], _ => b
      | _, [] => a
      | (k, c) :: a', (l, d) :: b' =>
          match order k l with
          | Eq => put k (c + d) (add a' b')
          | Lt => (k, c) :: add a' b
          | Gt => (l, d) :: add_to b'
          end
      end.

  Definition scale (g : Z) (s : sum) : sum :=
    if g =? 0 then [] else map (fun '(k, c) => (k, g * c)) s.

  Lemma total_put k c s : total (put k c s) = c * worth k + total s.
  Proof. unfold put. destruct (Z.eqb_spec c 0); cbn; subst; lia. Qed.

  Lemma total_add a b : total (add a b) = total a + total b.
  Proof.
    revert b. induction a as [|[k c] a IH]; intros b; [destruct b; reflexivity|].
    induction b as [|[l d] b IHb]; [cbn; lia|].
    cbn [add]. destruct (order k l) eqn:E.
    - apply order_eq in E. subst. rewrite total_put, IH. cbn. lia.
    - cbn [total]. rewrite IH. cbn. lia.
    - cbn [total]. change (total ((l, d) :: b)) with (d * worth l + total b).
      change ((fix add_to (b0 : sum) : sum := match b0 with
        | [] => (k, c) :: a
        | (l0, d0) :: b' => match order k l0 with
          | Eq => put k (c + d0) (add a b') | Lt => (k, c) :: add a b0 | Gt => (l0, d0) :: add_to b' end end) b)
        with (add ((k, c) :: a) b).
      rewrite IHb. cbn [total]. lia.
  Qed.

  Lemma total_scale g s : total (scale g s) = g * total s.
  Proof.
    unfold scale. destruct (Z.eqb_spec g 0) as [->|_]; [reflexivity|].
    induction s as [|[k c] s IH]; cbn [map total]; [lia|]. rewrite IH. lia.
  Qed.

  (* Whether a is g times b, multiple by multiple. *)
  Fixpoint is_times (g : Z) (a b : sum) : bool :=
    match a, b with
    | [], [] => true
    | (k, c) :: a, (l, d) :: b =>
        match order k l with Eq => (c =? g * d) && is_times g a b | _ => false end
    | _, _ => false
    end.

  Lemma is_times_total g a b : is_times g a b = true -> total a = g * total b.
  Proof.
    revert b. induction a as [|[k c] a IH]; intros [|[l d] b]; cbn; try discriminate; [lia|].
    destruct (order k l) eqn:E; try discriminate. intros H. apply andb_prop in H as [H1 H2].
    apply order_eq in E. apply Z.eqb_eq in H1. rewrite (IH _ H2). subst. lia.
  Qed.

  Definition all_divided (g : Z) (s : sum) : bool := forallb (fun '(_, c) => c mod g =? 0) s.

  Lemma all_divided_total g s : g <> 0 -> all_divided g s = true -> exists q, total s = g * q.
  Proof.
    intros G. induction s as [|[k c] s IH]; cbn; intros H; [exists 0; lia|].
    apply andb_prop in H as [H1 H2]. destruct (IH H2) as [q Hq]. apply Z.eqb_eq in H1.
    apply Z.mod_divide in H1 as [p Hp]; [|exact G]. exists (p * worth k + q). rewrite Hq, Hp. ring.
  Qed.

  (* The factor that makes b's first multiple that of a. *)
  Definition factor (a b : sum) : Z := match a, b with (_, c) :: _, (_, d) :: _ => c / d | _, _ => 1 end.
End Sums.

Arguments sum : clear implicits.
Arguments add {K} order a b.

Lemma rounded_down g c s : 0 < g -> (0 <= c + g * s <-> 0 <= c / g + s).
Proof.
  intros G. pose proof (Z.mod_pos_bound c g G). pose proof (Z.div_mod c g ltac:(lia)). split; intros; nia.
Qed.

(* A linear form: a constant and multiples of numbers of the script. *)
Definition form := (Z * sum positive)%type.
Definition of_form (v : positive -> Z) (a : form) : Z := fst a + total v (snd a).
Definition plus (a b : form) : form := (fst a + fst b, add Pos.compare (snd a) (snd b)).
Definition times (g : Z) (a : form) : form := (g * fst a, scale g (snd a)).

Lemma of_plus v a b : of_form v (plus a b) = of_form v a + of_form v b.
Proof. unfold of_form, plus. cbn. rewrite (total_add _ Pos.compare_eq). lia. Qed.
Lemma of_times v g a : of_form v (times g a) = g * of_form v a.
Proof. unfold of_form, times. cbn. rewrite total_scale. lia. Qed.

Fixpoint linear (t : term) : form :=
  match t with
  | Num n => (n, [])
  | Sym x => (0, [(x, 1)])
  | Neg t => times (-1) (linear t)
  | Plus s t => plus (linear s) (linear t)
  | Times k t => times k (linear t)
  end.
Definition minus (s t : term) : form := plus (linear s) (times (-1) (linear t)).

Lemma of_linear v t : of_form v (linear t) = value v t.
Proof.
  induction t; cbn [linear value]; rewrite ?of_plus, ?of_times, ?IHt, ?IHt1, ?IHt2; unfold of_form;
    cbn [fst snd total]; lia.
Qed.
Lemma of_minus v s t : of_form v (minus s t) = value v s - value v t.
Proof. unfold minus. rewrite of_plus, of_times, !of_linear. lia. Qed.

(* Polynomials: a constant and multiples of products, each with its factors in order. *)
Fixpoint order_lists (a b : list positive) : comparison :=
  match a, b with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | x :: a, y :: b => match Pos.compare x y with Eq => order_lists a b | c => c end
  end.
Lemma order_lists_eq a b : order_lists a b = Eq -> a = b.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b]; cbn; try discriminate; [reflexivity|].
  destruct (Pos.compare x y) eqn:E; try discriminate. intros H. apply Pos.compare_eq in E. now rewrite E, (IH _ H).
Qed.

Definition product (v : positive -> Z) (l : list positive) : Z := fold_right (fun x p => v x * p) 1 l.
Fixpoint insert (x : positive) (l : list positive) : list positive :=
  match l with [] => [x] | y :: l' => match Pos.compare x y with Gt => y :: insert x l' | _ => x :: l end end.
Definition both (a b : list positive) : list positive := fold_right insert b a.

Lemma product_insert v x l : product v (insert x l) = v x * product v l.
Proof.
  induction l as [|y l IH]; cbn; [reflexivity|].
  destruct (Pos.compare x y); cbn; [reflexivity..|]. unfold product in IH. rewrite IH. lia.
Qed.
Lemma product_both v a b : product v (both a b) = product v a * product v b.
Proof.
  induction a as [|x a IH]; [unfold both; cbn [fold_right]; change (product v []) with 1; lia|].
  change (both (x :: a) b) with (insert x (both a b)). rewrite product_insert, IH.
  change (product v (x :: a)) with (v x * product v a). lia.
Qed.

(* -- what a script gives -------------------------------------------------------------------------------------------- *)

Module M := PositiveMap.

Record facts := Facts {
  assertions : M.t formula;
  choices : M.t (formula * term * term);
  applied : M.t (positive * term);
  factors : M.t (list positive) (* of a product, in order *)
}.
Definition no_facts : facts := Facts (M.empty _) (M.empty _) (M.empty _) (M.empty _).

Definition factors_of (F : facts) (x : positive) : list positive :=
  match M.find x (factors F) with Some l => l | None => [x] end.

Fixpoint term_below (n : positive) (t : term) : bool :=
  match t with
  | Num _ => true
  | Sym x => (x <? n)%positive
  | Neg t | Times _ t => term_below n t
  | Plus s t => term_below n s && term_below n t
  end.
Fixpoint formula_below (n : positive) (p : formula) : bool :=
  match p with
  | AtLeast s t | Equal s t => term_below n s && term_below n t
  | Not p => formula_below n p
  | And ps | Or ps => forallb (formula_below n) ps
  end.

(* The facts of a script. `i` is the number of the next assertion. None: a name is used before it is declared. *)
Fixpoint gathered (cs : list command) (n m i : positive) (F : facts) : option facts :=
  match cs with
  | [] => Some F
  | Nothing :: cs | CheckSat :: cs => gathered cs n m i F
  | Number :: cs => gathered cs (Pos.succ n) m i F
  | Function :: cs => gathered cs n (Pos.succ m) i F
  | Choice p s t :: cs =>
      if formula_below n p && term_below n s && term_below n t then
        gathered cs (Pos.succ n) m i
          (Facts (assertions F) (M.add n (p, s, t) (choices F)) (applied F) (factors F))
      else None
  | Value g t :: cs =>
      if (g <? m)%positive && term_below n t then
        gathered cs (Pos.succ n) m i
          (Facts (assertions F) (choices F) (M.add n (g, t) (applied F)) (factors F))
      else None
  | Product x y :: cs =>
      if (x <? n)%positive && (y <? n)%positive then
        gathered cs (Pos.succ n) m i
          (Facts (assertions F) (choices F) (applied F)
            (M.add n (both (factors_of F x) (factors_of F y)) (factors F)))
      else None
  | Assert p :: cs =>
      if formula_below n p then
        gathered cs n m (Pos.succ i)
          (Facts (M.add i p (assertions F)) (choices F) (applied F) (factors F))
      else None
  end.

Record true_facts (F : facts) (v : positive -> Z) (f : positive -> Z -> Z) : Prop := {
  asserted : forall i p, M.find i (assertions F) = Some p -> holds v p;
  chosen : forall x p s t, M.find x (choices F) = Some (p, s, t) ->
    (holds v p -> v x = value v s) /\ (~ holds v p -> v x = value v t);
  valued : forall x g t, M.find x (applied F) = Some (g, t) -> v x = f g (value v t);
  multiplied : forall x l, M.find x (factors F) = Some l -> v x = product v l
}.

(* All that is named in the facts is declared before n and m. *)
Record facts_below (F : facts) (n m : positive) : Prop := {
  asserted_below : forall i p, M.find i (assertions F) = Some p -> formula_below n p = true;
  chosen_below : forall x p s t, M.find x (choices F) = Some (p, s, t) ->
    (x < n)%positive /\ formula_below n p = true /\ term_below n s = true /\ term_below n t = true;
  valued_below : forall x g t, M.find x (applied F) = Some (g, t) ->
    (x < n)%positive /\ (g < m)%positive /\ term_below n t = true;
  multiplied_below : forall x l, M.find x (factors F) = Some l ->
    (x < n)%positive /\ Forall (fun y => (y < n)%positive) l
}.

Lemma formula_induction (P : formula -> Prop) :
  (forall s t, P (AtLeast s t)) -> (forall s t, P (Equal s t)) -> (forall p, P p -> P (Not p)) ->
  (forall ps, Forall P ps -> P (And ps)) -> (forall ps, Forall P ps -> P (Or ps)) -> forall p, P p.
Proof.
  intros A B C D E. fix IH 1. intros [s t|s t|p|ps|ps]; [apply A|apply B|apply C, IH|apply D|apply E];
    induction ps as [|p ps IHps]; constructor; auto.
Qed.

Lemma set_other {A} (v : positive -> A) n a x : (x < n)%positive -> set v n a x = v x.
Proof. intros H. unfold set. destruct (Pos.eqb_spec x n); [lia|reflexivity]. Qed.
Lemma set_same {A} (v : positive -> A) n a : set v n a n = a.
Proof. unfold set. now rewrite Pos.eqb_refl. Qed.

Lemma term_below_more n m t : (n <= m)%positive -> term_below n t = true -> term_below m t = true.
Proof.
  intros L. induction t; cbn; auto.
  - intros H. apply Pos.ltb_lt in H. apply Pos.ltb_lt. lia.
  - intros H. apply andb_prop in H as [H1 H2]. now rewrite IHt1, IHt2.
Qed.
Lemma formula_below_more n m p : (n <= m)%positive -> formula_below n p = true -> formula_below m p = true.
Proof.
  intros L. induction p as [s t|s t|p IH|ps IH|ps IH] using formula_induction; cbn; auto;
    try (intros H; apply andb_prop in H as [H1 H2]; now rewrite !(term_below_more n m) by assumption);
    rewrite !forallb_forall; rewrite Forall_forall in IH; auto.
Qed.

Lemma value_set v n a t : term_below n t = true -> value (set v n a) t = value v t.
Proof.
  induction t; cbn; auto.
  - intros H. apply Pos.ltb_lt in H. now apply set_other.
  - intros H. now rewrite IHt.
  - intros H. apply andb_prop in H as [H1 H2]. now rewrite IHt1, IHt2.
  - intros H. now rewrite IHt.
Qed.
Lemma holds_set v n a p : formula_below n p = true -> (holds (set v n a) p <-> holds v p).
Proof.
  induction p as [s t|s t|p IH|ps IH|ps IH] using formula_induction; cbn [holds formula_below].
  1-2: intros H; apply andb_prop in H as [H1 H2]; now rewrite !value_set.
  - intros H. now rewrite IH.
  - induction ps as [|p ps IHps]; cbn; [tauto|]. intros H. apply andb_prop in H as [H1 H2].
    inversion IH; subst. rewrite H3 by assumption. now rewrite IHps.
  - induction ps as [|p ps IHps]; cbn; [tauto|]. intros H. apply andb_prop in H as [H1 H2].
    inversion IH; subst. rewrite H3 by assumption. now rewrite IHps.
Qed.
Lemma product_set v n a l : Forall (fun y => (y < n)%positive) l -> product (set v n a) l = product v l.
Proof. induction 1 as [|y l H _ IH]; cbn; [reflexivity|]. unfold product in IH. now rewrite IH, set_other. Qed.

Lemma facts_below_more F n m n' m' :
  (n <= n')%positive -> (m <= m')%positive -> facts_below F n m -> facts_below F n' m'.
Proof.
  intros N L [A B C D]. split.
  - intros i p H. eapply formula_below_more; eauto.
  - intros x p s t H. apply B in H as (H1 & H2 & H3 & H4).
    repeat split; [lia|eapply formula_below_more; eauto|eapply term_below_more; eauto|eapply term_below_more; eauto].
  - intros x g t H. apply C in H as (H1 & H2 & H3). repeat split; [lia|lia|eapply term_below_more; eauto].
  - intros x l H. apply D in H as (H1 & H2). split; [lia|]. eapply Forall_impl; [|exact H2]. cbn. lia.
Qed.

Lemma true_facts_set_number F n m v f a : facts_below F n m -> true_facts F v f -> true_facts F (set v n a) f.
Proof.
  intros [A B C D] [A' B' C' D']. split.
  - intros i p H. apply holds_set; eauto.
  - intros x p s t H. pose proof (B _ _ _ _ H) as (H1 & H2 & H3 & H4).
    rewrite holds_set, !value_set, set_other by assumption. eauto.
  - intros x g t H. pose proof (C _ _ _ H) as (H1 & H2 & H3). rewrite value_set, set_other by assumption. eauto.
  - intros x l H. pose proof (D _ _ H) as (H1 & H2). rewrite product_set, set_other by assumption. eauto.
Qed.
Lemma true_facts_set_function F n m v f g : facts_below F n m -> true_facts F v f -> true_facts F v (set f m g).
Proof.
  intros [A B C D] [A' B' C' D']. split; eauto.
  intros x h t H. pose proof (C _ _ _ H) as (H1 & H2 & H3). rewrite set_other by assumption. eauto.
Qed.

Lemma find_add {A} (x y : positive) (a b : A) T :
  M.find x (M.add y a T) = Some b -> (x = y /\ a = b) \/ M.find x T = Some b.
Proof.
  intros H. destruct (Pos.eq_dec x y) as [->|N].
  - rewrite M.gss in H. left. split; congruence.
  - rewrite M.gso in H by assumption. now right.
Qed.

Lemma factors_of_true F v f x : true_facts F v f -> product v (factors_of F x) = v x.
Proof.
  intros T. unfold factors_of. destruct (M.find x (factors F)) eqn:E.
  - symmetry. eapply multiplied; eauto.
  - cbn. lia.
Qed.
Lemma factors_of_below F n m x :
  facts_below F n m -> (x < n)%positive -> Forall (fun y => (y < n)%positive) (factors_of F x).
Proof.
  intros T H. unfold factors_of. destruct (M.find x (factors F)) eqn:E.
  - eapply multiplied_below; eauto.
  - constructor; auto.
Qed.
Lemma insert_below n x l :
  (x < n)%positive -> Forall (fun y => (y < n)%positive) l -> Forall (fun y => (y < n)%positive) (insert x l).
Proof.
  intros X. induction 1 as [|y l Y L IH]; cbn; [auto|]. destruct (Pos.compare x y); auto.
Qed.
Lemma both_below n a b :
  Forall (fun y => (y < n)%positive) a -> Forall (fun y => (y < n)%positive) b ->
  Forall (fun y => (y < n)%positive) (both a b).
Proof. intros A B. induction A; cbn; auto using insert_below. Qed.

(* A script holds if its facts cannot be true. *)
Lemma gathered_meaning cs : forall n m i F G v f,
  gathered cs n m i F = Some G -> (forall v f, true_facts G v f -> False) ->
  facts_below F n m -> true_facts F v f -> meaning cs n m v f.
Proof.
  induction cs as [|c cs IH]; intros n m i F G v f E never B T; cbn [gathered] in E.
  - injection E as <-. exact (never v f T).
  - destruct c as [| | |p s t|g t|x y|p|]; cbn [meaning].
    + eauto.
    + intros a. eapply IH; eauto using true_facts_set_number.
      eapply facts_below_more; [| |exact B]; lia.
    + intros h. eapply IH; eauto using true_facts_set_function.
      eapply facts_below_more; [| |exact B]; lia.
    + destruct (formula_below n p) eqn:Ep; [|discriminate].
      destruct (term_below n s) eqn:Es; [|discriminate]. destruct (term_below n t) eqn:Et; [|discriminate].
      intros a yes no. eapply IH; [exact E|exact never| |].
      * destruct (facts_below_more F n m (Pos.succ n) m ltac:(lia) ltac:(lia) B) as [B1 B2 B3 B4].
        split; cbn; eauto. intros x q r u H. apply find_add in H as [[-> H]|H]; [|eauto].
        injection H as <- <- <-.
        repeat split; [lia|eapply formula_below_more; eauto; lia|eapply term_below_more; eauto; lia|eapply term_below_more; eauto; lia].
      * destruct (true_facts_set_number F n m v f a B T) as [T1 T2 T3 T4].
        split; cbn; eauto. intros x q r u H. apply find_add in H as [[-> H]|H]; [|eauto].
        injection H as <- <- <-. rewrite holds_set, !value_set, set_same by assumption. auto.
    + destruct (g <? m)%positive eqn:Eg; [|discriminate]. destruct (term_below n t) eqn:Et; [|discriminate].
      apply Pos.ltb_lt in Eg.
      intros a is. eapply IH; [exact E|exact never| |].
      * destruct (facts_below_more F n m (Pos.succ n) m ltac:(lia) ltac:(lia) B) as [B1 B2 B3 B4].
        split; cbn; eauto. intros x h u H. apply find_add in H as [[-> H]|H]; [|eauto].
        injection H as <- <-. repeat split; [lia|lia|eapply term_below_more; eauto; lia].
      * destruct (true_facts_set_number F n m v f a B T) as [T1 T2 T3 T4].
        split; cbn; eauto. intros x h u H. apply find_add in H as [[-> H]|H]; [|eauto].
        injection H as <- <-. rewrite !value_set, set_same by assumption. auto.
    + destruct (x <? n)%positive eqn:Ex; [|discriminate]. destruct (y <? n)%positive eqn:Ey; [|discriminate].
      apply Pos.ltb_lt in Ex, Ey.
      assert (L : Forall (fun z => (z < n)%positive) (both (factors_of F x) (factors_of F y)))
        by (apply both_below; eapply factors_of_below; eauto).
      intros a is. eapply IH; [exact E|exact never| |].
      * destruct (facts_below_more F n m (Pos.succ n) m ltac:(lia) ltac:(lia) B) as [B1 B2 B3 B4].
        split; cbn; eauto. intros z l H. apply find_add in H as [[-> H]|H]; [|eauto].
        subst l. split; [lia|]. eapply Forall_impl; [|exact L]. cbn. lia.
      * destruct (true_facts_set_number F n m v f a B T) as [T1 T2 T3 T4].
        split; cbn; eauto. intros z l H. apply find_add in H as [[-> H]|H]; [|eauto].
        subst l. rewrite product_set, set_same, product_both, !(factors_of_true F v f) by assumption. exact is.
    + destruct (formula_below n p) eqn:Ep; [|discriminate].
      intros h. eapply IH; [exact E|exact never| |].
      * destruct B as [B1 B2 B3 B4]. split; cbn; eauto.
        intros j q H. apply find_add in H as [[-> H]|H]; [congruence|eauto].
      * destruct T as [T1 T2 T3 T4]. split; cbn; eauto.
        intros j q H. apply find_add in H as [[-> H]|H]; [congruence|eauto].
    + eauto.
Qed.

Lemma no_facts_below : facts_below no_facts 1 1.
Proof. split; cbn; intros; rewrite M.gempty in *; discriminate. Qed.
Lemma no_facts_true v f : true_facts no_facts v f.
Proof. split; cbn; intros; rewrite M.gempty in *; discriminate. Qed.

(* -- literals ------------------------------------------------------------------------------------------------------- *)

(* A literal is the number of an atom, or minus that: its negation. 0 is none. *)
Inductive atom :=
| IsAtLeast (a : form) (* it is 0 or more *)
| IsEqual (a : form) (* it is 0 *)
| All (ls : list Z)
| Any (ls : list Z).

Definition lit (is : positive -> bool) (l : Z) : bool :=
  match l with Zpos k => is k | Zneg k => negb (is k) | Z0 => false end.
Definition atom_is (v : positive -> Z) (is : positive -> bool) (a : atom) : bool :=
  match a with
  | IsAtLeast a => 0 <=? of_form v a
  | IsEqual a => of_form v a =? 0
  | All ls => forallb (lit is) ls
  | Any ls => existsb (lit is) ls
  end.

Definition lit_below (n : positive) (l : Z) : bool :=
  match l with Z0 => true | Zpos k | Zneg k => (k <? n)%positive end.
Definition atom_below (n : positive) (a : atom) : bool :=
  match a with All ls | Any ls => forallb (lit_below n) ls | _ => true end.

(* Atoms are made of those before them. *)
Fixpoint table (atoms : list atom) (n : positive) (T : M.t atom) : option (M.t atom) :=
  match atoms with
  | [] => Some T
  | a :: atoms => if atom_below n a then table atoms (Pos.succ n) (M.add n a T) else None
  end.

Definition true_table (T : M.t atom) (v : positive -> Z) (is : positive -> bool) : Prop :=
  forall k a, M.find k T = Some a -> is k = atom_is v is a.

Lemma lit_set is n b l : lit_below n l = true -> lit (set is n b) l = lit is l.
Proof. destruct l; cbn; intros H; try apply Pos.ltb_lt in H; rewrite ?set_other by assumption; reflexivity. Qed.
Lemma atom_set v is n b a : atom_below n a = true -> atom_is v (set is n b) a = atom_is v is a.
Proof.
  destruct a as [a|a|ls|ls]; cbn; auto; induction ls as [|l ls IH]; cbn; auto;
    intros H; apply andb_prop in H as [H1 H2]; now rewrite lit_set, IH.
Qed.
Lemma atom_below_more n m a : (n <= m)%positive -> atom_below n a = true -> atom_below m a = true.
Proof.
  intros L. destruct a as [a|a|ls|ls]; cbn; auto; rewrite !forallb_forall; intros H l I; specialize (H l I);
    destruct l; cbn in *; auto; apply Pos.ltb_lt in H; apply Pos.ltb_lt; lia.
Qed.

Lemma table_true v atoms : forall n T U is,
  table atoms n T = Some U -> (forall k a, M.find k T = Some a -> (k < n)%positive /\ atom_below n a = true) ->
  true_table T v is -> exists is', true_table U v is'.
Proof.
  induction atoms as [|a atoms IH]; cbn; intros n T U is E B H.
  - injection E as <-. eauto.
  - destruct (atom_below n a) eqn:A; [|discriminate].
    apply (IH _ _ _ (set is n (atom_is v is a)) E).
    + intros k b F. apply find_add in F as [[-> ->]|F].
      * split; [lia|]. eapply atom_below_more; [|exact A]. lia.
      * apply B in F as [F1 F2]. split; [lia|]. eapply atom_below_more; [|exact F2]. lia.
    + intros k b F. apply find_add in F as [[-> ->]|F].
      * now rewrite set_same, atom_set.
      * pose proof (B _ _ F) as [F1 F2]. rewrite set_other, atom_set by assumption. auto.
Qed.

Lemma lit_opp is l : l <> 0 -> lit is (- l) = negb (lit is l).
Proof. destruct l; cbn; intros; [congruence|reflexivity|now rewrite negb_involutive]. Qed.

Definition named (l : Z) : positive := Z.to_pos (Z.abs l).
Definition is_positive (l : Z) : bool := 0 <? l.
Definition is_negative (l : Z) : bool := l <? 0.

Lemma lit_positive is l : is_positive l = true -> lit is l = is (named l).
Proof. destruct l; cbn; congruence. Qed.
Lemma lit_negative is l : is_negative l = true -> lit is l = negb (is (named l)).
Proof. destruct l; cbn; congruence. Qed.

Section Statements.
  Context {K : Type} (order : K -> K -> comparison) (order_eq : forall a b, order a b = Eq -> a = b).
  Variable expand : form -> Z * sum K.
  Variable T : M.t atom.

  Definition common (s : sum K) : Z := fold_right (fun kc g => Z.gcd (snd kc) g) 0 s.

  Definition same_at_least (c : Z) (s : sum K) (l d : Z) (u : sum K) : bool :=
    let g := factor s u in
    is_times order g s u &&
    if is_positive l then (0 <? g) && (c / g =? d) else is_negative l && (g <? 0) && (c / - g =? - d - 1).
  Definition same_equal (c : Z) (s : sum K) (l d : Z) (u : sum K) : bool :=
    let g := factor s u in is_positive l && negb (g =? 0) && is_times order g s u && (c =? g * d).
  Definition never_equal (c : Z) (s : sum K) : bool :=
    let g := common s in negb (g =? 0) && all_divided g s && negb (c mod g =? 0).

  (* Whether l is the literal of `c + s >= 0`, or of the equation `c + s = 0`. *)
  Definition is_literal (equation : bool) (c : Z) (s : sum K) (l : Z) : bool :=
    match s, M.find (named l) T with
    | [], Some (All []) =>
        if (if equation then c =? 0 else 0 <=? c) then is_positive l else is_negative l
    | _ :: _, Some (All []) => equation && never_equal c s && is_negative l
    | _ :: _, Some (IsAtLeast a) => negb equation && let '(d, u) := expand a in same_at_least c s l d u
    | _ :: _, Some (IsEqual a) => equation && let '(d, u) := expand a in same_equal c s l d u
    | _, _ => false
    end.

  Variables (worth : K -> Z) (v : positive -> Z) (is : positive -> bool).
  Hypothesis expanded : forall a, fst (expand a) + total worth (snd (expand a)) = of_form v a.
  Hypothesis truth : true_table T v is.

  Lemma is_literal_true equation c s l : is_literal equation c s l = true ->
    lit is l = if equation then c + total worth s =? 0 else 0 <=? c + total worth s.
  Proof using expanded truth order_eq.
    unfold is_literal. destruct (M.find (named l) T) as [a|] eqn:E; [|destruct s; discriminate].
    apply truth in E. destruct s as [|m s].
    - destruct a as [a|a|[|]|a]; try discriminate. cbn [total]. rewrite Z.add_0_r.
      destruct equation; [destruct (c =? 0)|destruct (0 <=? c)]; intros H;
        rewrite ?lit_positive, ?lit_negative, E by assumption; reflexivity.
    - remember (m :: s) as ms. destruct a as [a|a|[|]|a]; try discriminate.
      + destruct equation; [discriminate|]. cbn [negb andb]. specialize (expanded a).
        destruct (expand a) as [d u]. cbn [fst snd] in expanded. unfold same_at_least. intros H.
        apply andb_prop in H as [H1 H2]. apply (is_times_total _ order_eq worth) in H1. rewrite H1.
        set (g := factor ms u) in *. cbn [atom_is] in E. rewrite <- expanded in E.
        destruct (is_positive l) eqn:P.
        * apply andb_prop in H2 as [H2 H3]. apply Z.ltb_lt in H2. apply Z.eqb_eq in H3.
          rewrite lit_positive, E by assumption. apply eq_true_iff_eq. rewrite !Z.leb_le.
          rewrite rounded_down, H3 by assumption. reflexivity.
        * apply andb_prop in H2 as [H2 H3]. apply andb_prop in H2 as [H2 H4].
          apply Z.ltb_lt in H4. apply Z.eqb_eq in H3.
          rewrite lit_negative, E by assumption. apply eq_true_iff_eq.
          rewrite negb_true_iff, Z.leb_gt, Z.leb_le.
          replace (c + g * total worth u) with (c + (- g) * (- total worth u)) by ring.
          rewrite rounded_down, H3 by lia. lia.
      + destruct equation; [|discriminate]. cbn [andb]. specialize (expanded a).
        destruct (expand a) as [d u]. cbn [fst snd] in expanded. unfold same_equal. intros H.
        apply andb_prop in H as [H H4]. apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 H2].
        apply (is_times_total _ order_eq worth) in H3. rewrite H3.
        apply Z.eqb_eq in H4. rewrite negb_true_iff in H2. apply Z.eqb_neq in H2.
        rewrite lit_positive, E by assumption. cbn [atom_is]. rewrite <- expanded.
        apply eq_true_iff_eq. rewrite !Z.eqb_eq. rewrite H4. rewrite <- Z.mul_add_distr_l.
        split; intros H; [rewrite H; lia|]. apply Z.mul_eq_0 in H. tauto.
      + destruct equation; [|discriminate]. cbn [andb]. unfold never_equal. intros H.
        apply andb_prop in H as [H H4]. apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 H2].
        rewrite negb_true_iff in H1, H3. apply Z.eqb_neq in H1, H3.
        apply (all_divided_total worth) in H2 as [q Q]; [|assumption]. rewrite Q.
        rewrite lit_negative, E by assumption. cbn. symmetry. apply Z.eqb_neq. intros Z.
        apply H3. replace c with (0 + (- q) * common ms) by lia. rewrite Z.mod_add by assumption. apply Z.mod_0_l. assumption.
  Qed.
End Statements.

Definition is_linear (T : M.t atom) (equation : bool) (a : form) (l : Z) : bool :=
  is_literal Pos.compare (fun a => a) T equation (fst a) (snd a) l.
Lemma is_linear_true T v is equation a l : true_table T v is -> is_linear T equation a l = true ->
  lit is l = if equation then of_form v a =? 0 else 0 <=? of_form v a.
Proof.
  intros H E. exact (is_literal_true _ Pos.compare_eq _ _ v v is (fun a => eq_refl) H _ _ _ _ E).
Qed.

(* Whether l is the literal of a formula. *)
Fixpoint matches (T : M.t atom) (p : formula) (l : Z) : bool :=
  let every := fix every (ps : list formula) (ls : list Z) : bool :=
    match ps, ls with
    | [], [] => true
    | p :: ps, l :: ls => matches T p l && every ps ls
    | _, _ => false
    end in
  match p with
  | AtLeast s t => is_linear T false (minus s t) l
  | Equal s t => is_linear T true (minus s t) l
  | Not p => negb (l =? 0) && matches T p (- l)
  | And ps => is_positive l && match M.find (named l) T with Some (All ls) => every ps ls | _ => false end
  | Or ps => is_positive l && match M.find (named l) T with Some (Any ls) => every ps ls | _ => false end
  end.

Lemma matches_true T v is (H : true_table T v is) p :
  forall l, matches T p l = true -> (lit is l = true <-> holds v p).
Proof.
  induction p as [s t|s t|p IH|ps IH|ps IH] using formula_induction; intros l E; cbn [matches holds] in *.
  - rewrite (is_linear_true _ _ _ _ _ _ H E), of_minus, Z.leb_le. lia.
  - rewrite (is_linear_true _ _ _ _ _ _ H E), of_minus, Z.eqb_eq. lia.
  - apply andb_prop in E as [E1 E2]. rewrite negb_true_iff in E1. apply Z.eqb_neq in E1. apply IH in E2.
    rewrite lit_opp in E2 by assumption. rewrite <- E2. destruct (lit is l); cbn; split; congruence.
  - apply andb_prop in E as [E1 E2]. destruct (M.find (named l) T) as [[| |ls|]|] eqn:F; try discriminate.
    apply H in F. rewrite lit_positive, F by assumption. cbn [atom_is]. clear F. revert ls E2.
    induction IH as [|p ps P _ IHps]; intros [|k ls] E2; try discriminate; cbn [forallb]; [tauto|].
    apply andb_prop in E2 as [E2 E3]. rewrite andb_true_iff, (P _ E2), (IHps _ E3). tauto.
  - apply andb_prop in E as [E1 E2]. destruct (M.find (named l) T) as [[| | |ls]|] eqn:F; try discriminate.
    apply H in F. rewrite lit_positive, F by assumption. cbn [atom_is]. clear F. revert ls E2.
    induction IH as [|p ps P _ IHps]; intros [|k ls] E2; try discriminate; cbn [existsb]; [split; [discriminate|tauto]|].
    apply andb_prop in E2 as [E2 E3]. rewrite orb_true_iff, (P _ E2), (IHps _ E3). tauto.
Qed.

(* What a linear literal says: whether it is an equation, and of which form. *)
Definition statement (T : M.t atom) (l : Z) : option (bool * form) :=
  match M.find (named l) T with
  | Some (IsAtLeast a) =>
      if is_positive l then Some (false, a)
      else if is_negative l then Some (false, plus (-1, []) (times (-1) a)) else None
  | Some (IsEqual a) => if is_positive l then Some (true, a) else None
  | _ => None
  end.
Lemma statement_true T v is l e a : true_table T v is -> statement T l = Some (e, a) ->
  l <> 0 /\ (lit is l = true -> if e then of_form v a = 0 else 0 <= of_form v a).
Proof.
  unfold statement. intros H E. destruct (M.find (named l) T) as [[b|b| |]|] eqn:F; try discriminate;
    apply H in F; cbn in F.
  - destruct (is_positive l) eqn:P; [|destruct (is_negative l) eqn:N; [|discriminate]]; injection E as <- <-.
    + split; [destruct l; discriminate|]. rewrite lit_positive, F by assumption. apply Z.leb_le.
    + split; [destruct l; discriminate|]. rewrite lit_negative, F, negb_true_iff, Z.leb_gt by assumption.
      rewrite of_plus, of_times. unfold of_form at 2. cbn [fst snd total]. lia.
  - destruct (is_positive l) eqn:P; [|discriminate]. injection E as <- <-.
    split; [destruct l; discriminate|]. rewrite lit_positive, F by assumption. apply Z.eqb_eq.
Qed.

(* -- products ------------------------------------------------------------------------------------------------------- *)

Definition polynomial := (Z * sum (list positive))%type.
Definition of_polynomial (v : positive -> Z) (a : polynomial) : Z := fst a + total (product v) (snd a).

Definition expanded (F : facts) (a : form) : polynomial :=
  (fst a, fold_right (fun xc p => add order_lists [(factors_of F (fst xc), snd xc)] p) [] (snd a)).
Definition row (m : list positive * Z) (s : sum (list positive)) : sum (list positive) :=
  fold_right (fun ld p => add order_lists [(both (fst m) (fst ld), snd m * snd ld)] p) [] s.
Definition multiply (a b : polynomial) : polynomial :=
  (fst a * fst b,
   add order_lists (scale (fst a) (snd b))
     (add order_lists (scale (fst b) (snd a))
        (fold_right (fun m p => add order_lists (row m (snd b)) p) [] (snd a)))).

Lemma of_expanded F v f a : true_facts F v f -> of_polynomial v (expanded F a) = of_form v a.
Proof.
  intros T. unfold of_polynomial, of_form, expanded. cbn [fst snd]. f_equal.
  induction (snd a) as [|[x c] s IH]; cbn [fold_right]; [reflexivity|].
  rewrite (total_add _ order_lists_eq), IH. cbn [total fst snd]. rewrite (factors_of_true F v f x T). lia.
Qed.
Lemma of_row v m s : total (product v) (row m s) = snd m * product v (fst m) * total (product v) s.
Proof.
  induction s as [|[l d] s IH]; cbn [row fold_right total]; [lia|].
  rewrite (total_add _ order_lists_eq). unfold row in IH. rewrite IH. cbn [total fst snd]. rewrite product_both. ring.
Qed.
Lemma of_multiply v a b : of_polynomial v (multiply a b) = of_polynomial v a * of_polynomial v b.
Proof.
  unfold of_polynomial, multiply. cbn [fst snd]. rewrite !(total_add _ order_lists_eq), !total_scale.
  assert (E : total (product v) (fold_right (fun m p => add order_lists (row m (snd b)) p) [] (snd a))
    = total (product v) (snd a) * total (product v) (snd b)).
  { induction (snd a) as [|[k c] s IH]; cbn [fold_right]; [reflexivity|].
    rewrite (total_add _ order_lists_eq), of_row, IH. cbn [total fst snd]. ring. }
  rewrite E. ring.
Qed.

Definition is_product (F : facts) (T : M.t atom) (equation : bool) (a b : form) (l : Z) : bool :=
  let p := multiply (expanded F a) (expanded F b) in
  is_literal order_lists (expanded F) T equation (fst p) (snd p) l.
Lemma is_product_true F T v f is equation a b l :
  true_facts F v f -> true_table T v is -> is_product F T equation a b l = true ->
  lit is l = if equation then of_form v a * of_form v b =? 0 else 0 <=? of_form v a * of_form v b.
Proof.
  intros G H E. unfold is_product in E.
  rewrite (is_literal_true _ order_lists_eq _ _ (product v) v is (fun a => of_expanded F v f a G) H _ _ _ _ E).
  fold (of_polynomial v (multiply (expanded F a) (expanded F b))).
  now rewrite of_multiply, !(of_expanded F v f).
Qed.

(* -- steps ---------------------------------------------------------------------------------------------------------- *)

(* A clause is a list of literals, one of which holds. Clauses are numbered from 1, one a step. *)
Inductive step :=
| Use (i : positive) (l : Z) (* assertion i, whose literal is l *)
| Whole (k : positive) (* the definition of an `and` or `or`: the clause of all its parts *)
| Part (k : positive) (l : Z) (* the clause of one part *)
| Apart (k : positive) (above below : Z) (* t = 0, or t - 1 >= 0, or - t - 1 >= 0 *)
| Chosen (yes : bool) (x : positive) (c e : Z) (* x is an ite: not c, or its first term; c, or its second *)
| Same (x y : positive) (d e : Z) (* x is f(s), y is f(t): not s = t, or x = y *)
| Multiplied (l m r : Z) (* not l, or not m, or their product *)
| Sum (taken : list (Z * Z)) (* so often each, these literals add up to what is negative: one does not hold *)
| So (c : list Z) (hints : list positive). (* if none of c holds, each hint in turn has one literal left, the last none *)

Definition lit_key (l : Z) : positive := match l with Z0 => xH | Zpos k => xO k | Zneg k => xI k end.
Lemma lit_key_inj a b : lit_key a = lit_key b -> a = b.
Proof. destruct a, b; cbn; congruence. Qed.

Fixpoint remaining (false_ : M.t unit) (c : list Z) (one : option Z) : option (option Z) :=
  match c with
  | [] => Some one
  | l :: c =>
      match M.find (lit_key l) false_ with
      | Some _ => remaining false_ c one
      | None =>
          match one with
          | None => remaining false_ c (Some l)
          | Some o => if l =? o then remaining false_ c one else None
          end
      end
  end.
Fixpoint follows (C : M.t (list Z)) (false_ : M.t unit) (hints : list positive) : bool :=
  match hints with
  | [] => false
  | h :: hints =>
      match M.find h C with
      | None => false
      | Some c =>
          match remaining false_ c None with
          | None => false
          | Some None => true
          | Some (Some l) => follows C (M.add (lit_key (- l)) tt false_) hints
          end
      end
  end.

Definition all_false (is : positive -> bool) (false_ : M.t unit) : Prop :=
  forall l, M.find (lit_key l) false_ <> None -> lit is l = false.

Lemma remaining_true is false_ c : all_false is false_ -> forall one r, remaining false_ c one = Some r ->
  existsb (lit is) c = true \/ (exists o, one = Some o /\ lit is o = true) -> exists l, r = Some l /\ lit is l = true.
Proof.
  intros N. induction c as [|l c IH]; cbn; intros one r E H.
  - injection E as <-. destruct H as [H|H]; [discriminate|exact H].
  - destruct (M.find (lit_key l) false_) eqn:F.
    + apply (IH _ _ E). destruct H as [H|H]; [left|now right].
      rewrite (N l) in H by congruence. exact H.
    + destruct one as [o|].
      * destruct (Z.eqb_spec l o) as [->|]; [|discriminate]. apply (IH _ _ E).
        destruct H as [H|H]; [|now right]. apply orb_prop in H as [H|H]; eauto.
      * apply (IH _ _ E). destruct H as [H|(o & H & _)]; [|discriminate]. apply orb_prop in H as [H|H]; eauto.
Qed.

Definition true_clauses (C : M.t (list Z)) (is : positive -> bool) : Prop :=
  forall i c, M.find i C = Some c -> existsb (lit is) c = true.

Lemma all_false_add is false_ l : all_false is false_ -> lit is l = false ->
  all_false is (M.add (lit_key l) tt false_).
Proof.
  intros N H m F. destruct (Z.eq_dec m l) as [->|D]; [exact H|].
  rewrite M.gso in F; [auto|]. intros E. now apply lit_key_inj in E.
Qed.

Lemma follows_true C is hints : true_clauses C is -> forall false_, all_false is false_ ->
  follows C false_ hints = true -> False.
Proof.
  intros T. induction hints as [|h hints IH]; cbn; intros false_ N E; [discriminate|].
  destruct (M.find h C) as [c|] eqn:F; [|discriminate]. apply T in F.
  destruct (remaining false_ c None) as [r|] eqn:R; [|discriminate].
  destruct (remaining_true _ _ _ N _ _ R (or_introl F)) as (l & -> & L).
  refine (IH _ (all_false_add _ _ _ N _) E). rewrite lit_opp, L; [reflexivity|]. now intros ->.
Qed.

Definition falsified (c : list Z) : M.t unit := fold_right (fun l s => M.add (lit_key l) tt s) (M.empty unit) c.
Lemma falsified_true is c : existsb (lit is) c = false -> all_false is (falsified c).
Proof.
  induction c as [|l c IH]; cbn; intros H.
  - intros m F. now rewrite M.gempty in F.
  - apply orb_false_iff in H as [H1 H2]. apply all_false_add; auto.
Qed.

Definition nonzero (l : Z) : bool := negb (l =? 0).

(* The sum of statements; None: it is no contradiction of statements. *)
Fixpoint summed (T : M.t atom) (taken : list (Z * Z)) : option form :=
  match taken with
  | [] => Some (0, [])
  | (l, k) :: taken =>
      match statement T l, summed T taken with
      | Some (e, a), Some b => if e || (0 <=? k) then Some (plus (times k a) b) else None
      | _, _ => None
      end
  end.

Definition derived (F : facts) (T : M.t atom) (C : M.t (list Z)) (s : step) : option (list Z) :=
  match s with
  | Use i l =>
      match M.find i (assertions F) with Some p => if matches T p l then Some [l] else None | None => None end
  | Whole k =>
      match M.find k T with
      | Some (All ls) => if forallb nonzero ls then Some (Zpos k :: map Z.opp ls) else None
      | Some (Any ls) => Some (Zneg k :: ls)
      | _ => None
      end
  | Part k l =>
      match M.find k T with
      | Some (All ls) => if existsb (Z.eqb l) ls then Some [Zneg k; l] else None
      | Some (Any ls) => if existsb (Z.eqb l) ls && nonzero l then Some [Zpos k; - l] else None
      | _ => None
      end
  | Apart k above below =>
      match M.find k T with
      | Some (IsEqual a) =>
          if is_linear T false (plus (-1, []) a) above && is_linear T false (plus (-1, []) (times (-1) a)) below
          then Some [Zpos k; above; below] else None
      | _ => None
      end
  | Chosen yes x c e =>
      match M.find x (choices F) with
      | Some (p, s, t) =>
          if nonzero c && matches T p c && is_linear T true (minus (Sym x) (if yes then s else t)) e
          then Some [if yes then - c else c; e] else None
      | None => None
      end
  | Same x y d e =>
      match M.find x (applied F), M.find y (applied F) with
      | Some (g, s), Some (h, t) =>
          if Pos.eqb g h && nonzero d && is_linear T true (minus s t) d && is_linear T true (minus (Sym x) (Sym y)) e
          then Some [- d; e] else None
      | _, _ => None
      end
  | Multiplied l m r =>
      match statement T l, statement T m with
      | Some (e, a), Some (also, b) =>
          if is_product F T (e || also) a b r then Some (if e then [- l; r] else [- l; - m; r]) else None
      | _, _ => None
      end
  | Sum taken =>
      match summed T taken with
      | Some (c, []) => if c <? 0 then Some (map (fun lk => - fst lk) taken) else None
      | _ => None
      end
  | So c hints => if follows C (falsified c) hints then Some c else None
  end.

Lemma summed_true T v is taken : true_table T v is -> forall a, summed T taken = Some a ->
  existsb (lit is) (map (fun lk => - fst lk) taken) = false -> 0 <= of_form v a.
Proof.
  intros H. induction taken as [|[l k] taken IH]; cbn; intros a E N; [injection E as <-; cbn; lia|].
  destruct (statement T l) as [[e b]|] eqn:S; [|discriminate].
  destruct (summed T taken) as [d|]; [|discriminate].
  destruct (e || (0 <=? k)) eqn:K; [|discriminate]. injection E as <-.
  apply orb_false_iff in N as [N1 N2]. specialize (IH _ eq_refl N2).
  apply (statement_true _ _ _ _ _ _ H) in S as [Z S]. rewrite lit_opp, negb_false_iff in N1 by assumption.
  specialize (S N1). rewrite of_plus, of_times. destruct e; [rewrite S; lia|].
  cbn in K. apply Z.leb_le in K. nia.
Qed.

Lemma nonzero_true l : nonzero l = true -> l <> 0.
Proof. unfold nonzero. rewrite negb_true_iff. apply Z.eqb_neq. Qed.

Lemma derived_true F T C v f is s c :
  true_facts F v f -> true_table T v is -> true_clauses C is -> derived F T C s = Some c -> existsb (lit is) c = true.
Proof.
  intros G H K. destruct s as [i l|k|k l|k above below|yes x d e|x y d e|l m r|taken|ls hints]; cbn [derived]; intros E.
  - destruct (M.find i (assertions F)) as [p|] eqn:A; [|discriminate].
    destruct (matches T p l) eqn:L; [|discriminate]. injection E as <-. cbn.
    rewrite orb_false_r. apply (matches_true _ _ _ H _ _ L). eapply asserted; eauto.
  - destruct (M.find k T) as [[| |ls|ls]|] eqn:A; try discriminate; apply H in A; cbn in A.
    + destruct (forallb nonzero ls) eqn:N; [|discriminate]. injection E as <-. cbn. rewrite A. clear A.
      induction ls as [|l ls IH]; [reflexivity|]. cbn in *. apply andb_prop in N as [N1 N2].
      rewrite lit_opp by (now apply nonzero_true). destruct (lit is l); cbn; auto.
    + injection E as <-. cbn. rewrite A. now destruct (existsb (lit is) ls).
  - destruct (M.find k T) as [[| |ls|ls]|] eqn:A; try discriminate; apply H in A; cbn in A.
    + destruct (existsb (Z.eqb l) ls) eqn:X; [|discriminate]. injection E as <-. cbn. rewrite A.
      apply existsb_exists in X as (m & I & M). apply Z.eqb_eq in M. subst m.
      destruct (forallb (lit is) ls) eqn:Y; [|reflexivity]. rewrite forallb_forall in Y. now rewrite (Y l I).
    + destruct (existsb (Z.eqb l) ls) eqn:X; [|discriminate]. destruct (nonzero l) eqn:N; [|discriminate].
      injection E as <-. cbn. rewrite A. apply existsb_exists in X as (m & I & M). apply Z.eqb_eq in M. subst m.
      rewrite lit_opp by (now apply nonzero_true).
      destruct (lit is l) eqn:Y; [|now rewrite orb_true_r].
      assert (existsb (lit is) ls = true) as -> by (apply existsb_exists; eauto). reflexivity.
  - destruct (M.find k T) as [[|a| |]|] eqn:A; try discriminate; apply H in A; cbn in A.
    destruct (is_linear T false (plus (-1, []) a) above) eqn:X; [|discriminate].
    destruct (is_linear T false (plus (-1, []) (times (-1) a)) below) eqn:Y; [|discriminate]. injection E as <-. cbn [existsb lit].
    rewrite A, (is_linear_true _ _ _ _ _ _ H X), (is_linear_true _ _ _ _ _ _ H Y).
    rewrite !of_plus, of_times. unfold of_form at 2 4. cbn [fst snd total].
    destruct (Z.eqb_spec (of_form v a) 0); [reflexivity|]. rewrite orb_false_r. cbn [orb].
    rewrite orb_true_iff, !Z.leb_le. lia.
  - destruct (M.find x (choices F)) as [[[p s] t]|] eqn:A; [|discriminate].
    destruct (nonzero d) eqn:N; [|discriminate]. destruct (matches T p d) eqn:M; [|discriminate].
    destruct (is_linear T true (minus (Sym x) (if yes then s else t)) e) eqn:X; [|discriminate]. injection E as <-.
    apply nonzero_true in N. apply (chosen _ _ _ G) in A as [Yes No]. apply (matches_true _ _ _ H) in M.
    apply (is_linear_true _ _ _ _ _ _ H) in X. rewrite of_minus in X. cbn [value] in X. cbn [existsb]. rewrite X, orb_false_r.
    destruct yes; rewrite ?lit_opp by assumption; destruct (lit is d) eqn:D; cbn [negb orb]; try reflexivity;
      apply Z.eqb_eq.
    + rewrite Yes by (now apply M). lia.
    + rewrite No by (rewrite <- M; discriminate). lia.
  - destruct (M.find x (applied F)) as [[g s]|] eqn:A; [|discriminate].
    destruct (M.find y (applied F)) as [[h t]|] eqn:B; [|discriminate].
    destruct (Pos.eqb_spec g h) as [<-|]; [|discriminate]. destruct (nonzero d) eqn:N; [|discriminate].
    destruct (is_linear T true (minus s t) d) eqn:X; [|discriminate].
    destruct (is_linear T true (minus (Sym x) (Sym y)) e) eqn:Y; [|discriminate]. injection E as <-.
    apply nonzero_true in N. apply (valued _ _ _ G) in A, B.
    apply (is_linear_true _ _ _ _ _ _ H) in X, Y. rewrite of_minus in X, Y. cbn [value] in Y.
    cbn [existsb]. rewrite lit_opp, X, Y, A, B by assumption.
    destruct (Z.eqb_spec (value v s - value v t) 0) as [Q|]; [|reflexivity].
    replace (value v s) with (value v t) by lia. rewrite Z.sub_diag. reflexivity.
  - destruct (statement T l) as [[e a]|] eqn:A; [|discriminate].
    destruct (statement T m) as [[also b]|] eqn:B; [|discriminate].
    destruct (is_product F T (e || also) a b r) eqn:X; [|discriminate]. injection E as <-.
    apply (is_product_true _ _ _ _ _ _ _ _ _ G H) in X.
    apply (statement_true _ _ _ _ _ _ H) in A as [L A], B as [M B].
    destruct e; cbn [existsb orb] in *; rewrite X, ?lit_opp by assumption.
    + destruct (lit is l); [|reflexivity]. rewrite A by reflexivity. reflexivity.
    + destruct (lit is l); [|reflexivity]. destruct (lit is m); [|reflexivity].
      specialize (A eq_refl). specialize (B eq_refl). cbn [negb orb]. rewrite orb_false_r. destruct also.
      * rewrite B, Z.mul_0_r. reflexivity.
      * apply Z.leb_le. now apply Z.mul_nonneg_nonneg.
  - destruct (summed T taken) as [[d [|]]|] eqn:S; try discriminate.
    destruct (Z.ltb_spec d 0); [|discriminate]. injection E as <-.
    destruct (existsb (lit is) (map (fun lk => - fst lk) taken)) eqn:X; [reflexivity|].
    pose proof (summed_true _ _ _ _ H _ S X) as Y. unfold of_form in Y. cbn [fst snd total] in Y. lia.
  - destruct (follows C (falsified ls) hints) eqn:X; [|discriminate]. injection E as <-.
    destruct (existsb (lit is) ls) eqn:Y; [reflexivity|].
    exfalso. exact (follows_true _ _ _ K _ (falsified_true _ _ Y) X).
Qed.

(* Whether the last of all steps gives the empty clause. *)
Fixpoint run (F : facts) (T : M.t atom) (C : M.t (list Z)) (n : positive) (steps : list step) (over : bool) : bool :=
  match steps with
  | [] => over
  | s :: steps =>
      match derived F T C s with
      | None => false
      | Some c => run F T (M.add n c C) (Pos.succ n) steps (match c with [] => true | _ => false end)
      end
  end.

Lemma run_true F T v f is steps : true_facts F v f -> true_table T v is ->
  forall C n over, true_clauses C is -> (over = true -> False) -> run F T C n steps over = true -> False.
Proof.
  intros G H. induction steps as [|s steps IH]; cbn; intros C n over K O E; [auto|].
  destruct (derived F T C s) as [c|] eqn:D; [|discriminate].
  pose proof (derived_true _ _ _ _ _ _ _ _ G H K D) as X. refine (IH _ _ _ _ _ E).
  - intros i d A. apply find_add in A as [[-> <-]|A]; [exact X|eauto].
  - destruct c; [discriminate X|discriminate].
Qed.

(* -- certificates as text ------------------------------------------------------------------------------------------- *)

(* Numbers as letters: base 32, the lowest digit first; "P" is the last digit 0, "0" a digit 0 before others. An even
   number 2 n is n, an odd one 2 n + 1 is - n - 1. *)
Fixpoint numbers (t : text) (shift sofar : Z) : list Z :=
  match t with
  | End => []
  | Char b t =>
      let d := Z.of_N (Byte.to_N b) - 48 in
      if d <? 32 then numbers t (32 * shift) (sofar + shift * d)
      else
        let n := sofar + shift * (d - 32) in
        (if Z.even n then Z.div2 n else - Z.div2 n - 1) :: numbers t 1 0
  end.

Fixpoint taken (n : nat) (l : list Z) : option (list Z * list Z) :=
  match n, l with
  | O, _ => Some ([], l)
  | S n, x :: l => match taken n l with Some (a, b) => Some (x :: a, b) | None => None end
  | S _, [] => None
  end.
Definition counted (l : list Z) : option (list Z * list Z) :=
  match l with n :: l => taken (Z.to_nat n) l | [] => None end.
Fixpoint pairs (l : list Z) : list (Z * Z) := match l with a :: b :: l => (a, b) :: pairs l | _ => [] end.
Definition form_of (c : Z) (l : list Z) : form := (c, map (fun '(x, k) => (Z.to_pos x, k)) (pairs l)).

Fixpoint atoms_of (n : nat) (l : list Z) : option (list atom * list Z) :=
  match n with
  | O => Some ([], l)
  | S n =>
      let more (a : atom) (l : list Z) :=
        match atoms_of n l with Some (atoms, l) => Some (a :: atoms, l) | None => None end in
      match l with
      | 0 :: c :: l => match counted l with Some (a, l) => more (IsAtLeast (form_of c a)) l | None => None end
      | 1 :: c :: l => match counted l with Some (a, l) => more (IsEqual (form_of c a)) l | None => None end
      | 2 :: l => match counted l with Some (a, l) => more (All a) l | None => None end
      | 3 :: l => match counted l with Some (a, l) => more (Any a) l | None => None end
      | _ => None
      end
  end.

Definition step_of (l : list Z) : option (step * list Z) :=
  match l with
  | 0 :: i :: a :: l => Some (Use (Z.to_pos i) a, l)
  | 1 :: k :: l => Some (Whole (Z.to_pos k), l)
  | 2 :: k :: a :: l => Some (Part (Z.to_pos k) a, l)
  | 3 :: k :: a :: b :: l => Some (Apart (Z.to_pos k) a b, l)
  | 4 :: yes :: x :: c :: e :: l => Some (Chosen (yes =? 1) (Z.to_pos x) c e, l)
  | 5 :: x :: y :: d :: e :: l => Some (Same (Z.to_pos x) (Z.to_pos y) d e, l)
  | 6 :: a :: b :: c :: l => Some (Multiplied a b c, l)
  | 7 :: l => match counted l with Some (a, l) => Some (Sum (pairs a), l) | None => None end
  | 8 :: l =>
      match counted l with
      | Some (c, l) => match counted l with Some (h, l) => Some (So c (map Z.to_pos h), l) | None => None end
      | None => None
      end
  | _ => None
  end.
Fixpoint steps_of (most : nat) (l : list Z) : list step :=
  match most with
  | O => []
  | S most => match step_of l with Some (s, l) => s :: steps_of most l | None => [] end
  end.

(* A certificate is a list of texts, since long ones are more than Coq's parser takes; no number is divided. *)
Definition check (lines certificate : list text) : bool :=
  match commands lines (M.empty what) 1 1, flat_map (fun t => numbers t 1 0) certificate with
  | Some cs, n :: l =>
      match gathered cs 1 1 1 no_facts, atoms_of (Z.to_nat n) l with
      | Some F, Some (atoms, l) =>
          match table atoms 1 (M.empty atom) with
          | Some T => run F T (M.empty (list Z)) 1 (steps_of (length l) l) false
          | None => false
          end
      | _, _ => false
      end
  | _, _ => false
  end.

Theorem checked (lines certificate : list text) : check lines certificate = true -> obligation lines.
Proof.
  unfold check, obligation. destruct (commands lines (M.empty what) 1 1) as [cs|]; [|discriminate].
  destruct (flat_map (fun t => numbers t 1 0) certificate) as [|n l]; [discriminate|].
  destruct (gathered cs 1 1 1 no_facts) as [F|] eqn:G; [|discriminate].
  destruct (atoms_of (Z.to_nat n) l) as [[atoms r]|]; [|discriminate].
  destruct (table atoms 1 (M.empty atom)) as [T|] eqn:A; [|discriminate]. intros R.
  refine (gathered_meaning cs _ _ _ _ F _ _ G _ no_facts_below (no_facts_true _ _)).
  intros v f X. destruct (table_true v atoms 1 (M.empty atom) T (fun _ => false) A) as [is H].
  - intros k a E. now rewrite M.gempty in E.
  - intros k a E. now rewrite M.gempty in E.
  - refine (run_true F T v f is _ X H _ _ _ _ _ R); [|discriminate].
    intros i c E. now rewrite M.gempty in E.
Qed.

(* In the files that are written: `check` is computed once, by the kernel. *)
Ltac by_certificate c := apply (checked _ c); vm_cast_no_check (eq_refl true).
