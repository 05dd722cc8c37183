(* What an obligation of `hyloop prove` says: the text of a script, in the part of SMT-LIB that docs/proof.md gives, as a
   proposition of Coq. To be read: this file is what is believed. What is proved about it is in Certificate.v.

   A script is read from top to bottom: a number that is declared is "for all integers x", a definition is "for all x
   that are so defined", an assertion is "if", and at the end stands False: not all of them hold. *)

From Coq Require Import ZArith List Bool Strings.Byte FMapPositive.
Import ListNotations.
Open Scope Z_scope.

(* -- texts ---------------------------------------------------------------------------------------------------------- *)

Inductive text := End | Char (b : byte) (t : text).
Fixpoint of_bytes (l : list byte) : text := match l with [] => End | b :: l => Char b (of_bytes l) end.
Fixpoint to_bytes (t : text) : list byte := match t with End => [] | Char b t => b :: to_bytes t end.
Declare Scope text_scope.
Delimit Scope text_scope with text.
Bind Scope text_scope with text.
String Notation text of_bytes to_bytes : text_scope.

Definition same_byte (a b : byte) : bool := (Byte.to_N a =? Byte.to_N b)%N.
Fixpoint same (a b : text) : bool :=
  match a, b with
  | End, End => true
  | Char a s, Char b t => same_byte a b && same s t
  | _, _ => false
  end.

(* The words of a line. A name may stand between bars. There are no comments, texts or tabs. *)
Inductive word := Open | Close | Word (w : text).
Inductive reading := Between | Within (w : list byte) | Barred (w : list byte).

Definition ended (r : reading) : list word := match r with Within w => [Word (of_bytes (rev w))] | _ => [] end.

Fixpoint words (t : text) (r : reading) : option (list word) :=
  match t with
  | End => match r with Barred _ => None | _ => Some (ended r) end
  | Char b t =>
      match r with
      | Barred w =>
          if same_byte b "|" then option_map (cons (Word (of_bytes (rev (b :: w))))) (words t Between)
          else words t (Barred (b :: w))
      | _ =>
          match b with
          | "("%byte => option_map (fun more => ended r ++ Open :: more) (words t Between)
          | ")"%byte => option_map (fun more => ended r ++ Close :: more) (words t Between)
          | " "%byte => option_map (app (ended r)) (words t Between)
          | "|"%byte => option_map (app (ended r)) (words t (Barred [b]))
          | _ =>
              if (Byte.to_N b <? 33)%N || same_byte b ";" || same_byte b """" then None
              else words t (Within (b :: match r with Within w => w | _ => [] end))
          end
      end
  end.

(* The one expression of a line. *)
Inductive tree := Leaf (w : text) | Node (parts : list tree).

Fixpoint expression (ws : list word) (outer : list (list tree)) (now : list tree) : option tree :=
  match ws with
  | Open :: ws => expression ws (now :: outer) []
  | Close :: ws => match outer with o :: outer => expression ws outer (Node (rev now) :: o) | [] => None end
  | Word w :: ws => expression ws outer (Leaf w :: now)
  | [] => match outer, now with [], [t] => Some t | _, _ => None end
  end.

Definition line (t : text) : option tree :=
  match words t Between with Some ws => expression ws [] [] | None => None end.

(* -- terms and formulas --------------------------------------------------------------------------------------------- *)

(* Numbers and functions of one argument that a script declares or defines are numbered, each from 1 in their order. *)
Inductive term :=
| Num (n : Z)
| Sym (x : positive)
| Neg (t : term)
| Plus (s t : term)
| Times (k : Z) (t : term).

Inductive formula :=
| AtLeast (s t : term)
| Equal (s t : term)
| Not (p : formula)
| And (ps : list formula)
| Or (ps : list formula).

Inductive command :=
| Nothing
| Number (* any integer *)
| Function (* any function of one integer *)
| Choice (p : formula) (s t : term) (* a number: s if p, else t *)
| Value (f : positive) (t : term) (* a number: the function f at t *)
| Product (x y : positive) (* a number: x times y *)
| Assert (p : formula)
| CheckSat.

(* -- their meaning -------------------------------------------------------------------------------------------------- *)

Fixpoint value (v : positive -> Z) (t : term) : Z :=
  match t with
  | Num n => n
  | Sym x => v x
  | Neg t => - value v t
  | Plus s t => value v s + value v t
  | Times k t => k * value v t
  end.

Fixpoint holds (v : positive -> Z) (p : formula) : Prop :=
  match p with
  | AtLeast s t => value v s >= value v t
  | Equal s t => value v s = value v t
  | Not p => ~ holds v p
  | And ps => (fix every ps := match ps with [] => True | p :: ps => holds v p /\ every ps end) ps
  | Or ps => (fix some ps := match ps with [] => False | p :: ps => holds v p \/ some ps end) ps
  end.

Definition set {A : Type} (v : positive -> A) (x : positive) (a : A) : positive -> A :=
  fun y => if Pos.eqb y x then a else v y.

(* n and m are the numbers of the next number and of the next function. *)
Fixpoint meaning (cs : list command) (n m : positive) (v : positive -> Z) (f : positive -> Z -> Z) : Prop :=
  match cs with
  | [] => False
  | Nothing :: cs | CheckSat :: cs => meaning cs n m v f
  | Number :: cs => forall x : Z, meaning cs (Pos.succ n) m (set v n x) f
  | Function :: cs => forall g : Z -> Z, meaning cs n (Pos.succ m) v (set f m g)
  | Choice p s t :: cs => forall x : Z,
      (holds v p -> x = value v s) -> (~ holds v p -> x = value v t) -> meaning cs (Pos.succ n) m (set v n x) f
  | Value g t :: cs => forall x : Z, x = f g (value v t) -> meaning cs (Pos.succ n) m (set v n x) f
  | Product y z :: cs => forall x : Z, x = v y * v z -> meaning cs (Pos.succ n) m (set v n x) f
  | Assert p :: cs => holds v p -> meaning cs n m v f
  end.

(* -- from trees to commands ----------------------------------------------------------------------------------------- *)

(* What a name is: a number or a function that was declared before. *)
Inductive what := IsNumber (x : positive) | IsFunction (f : positive).

Fixpoint key_of (bits : list bool) : positive :=
  match bits with [] => xH | true :: bits => xI (key_of bits) | false :: bits => xO (key_of bits) end.
Definition bits_of (b : byte) : list bool :=
  let '(b0, (b1, (b2, (b3, (b4, (b5, (b6, b7))))))) := Byte.to_bits b in [b0; b1; b2; b3; b4; b5; b6; b7].
Definition key (w : text) : positive := key_of (flat_map bits_of (to_bytes w)).

Definition names := PositiveMap.t what.

Fixpoint number (w : text) (before : Z) : option Z :=
  match w with
  | End => Some before
  | Char b w =>
      let d := Z.of_N (Byte.to_N b) - 48 in
      if (0 <=? d) && (d <=? 9) then number w (10 * before + d) else None
  end.
Definition is_number (w : text) : option Z := match w with End => None | _ => number w 0 end.

Definition symbol (ns : names) (w : text) : option positive :=
  match PositiveMap.find (key w) ns with Some (IsNumber x) => Some x | _ => None end.

Definition constant (t : tree) : option Z :=
  match t with
  | Leaf w => is_number w
  | Node [Leaf minus; Leaf w] => if same minus "-" then option_map Z.opp (is_number w) else None
  | _ => None
  end.

Fixpoint term_of (ns : names) (t : tree) : option term :=
  match t with
  | Leaf w => match is_number w with Some n => Some (Num n) | None => option_map Sym (symbol ns w) end
  | Node (Leaf w :: parts) =>
      if same w "+" then
        (fix sum parts := match parts with
         | [] => None
         | [t] => term_of ns t
         | t :: parts =>
             match term_of ns t, sum parts with Some s, Some t => Some (Plus s t) | _, _ => None end
         end) parts
      else match parts with
      | [t] => if same w "-" then option_map Neg (term_of ns t) else None
      | [k; t] =>
          if same w "*" then match constant k, term_of ns t with Some k, Some t => Some (Times k t) | _, _ => None end
          else None
      | _ => None
      end
  | _ => None
  end.

Fixpoint formula_of (ns : names) (t : tree) : option formula :=
  let all := fix all parts := match parts with
    | [] => Some []
    | t :: parts => match formula_of ns t, all parts with Some p, Some ps => Some (p :: ps) | _, _ => None end
    end in
  match t with
  | Leaf w => if same w "true" then Some (And []) else if same w "false" then Some (Or []) else None
  | Node (Leaf w :: parts) =>
      if same w "and" then option_map And (all parts)
      else if same w "or" then option_map Or (all parts)
      else match parts with
      | [t] => if same w "not" then option_map Not (formula_of ns t) else None
      | [s; t] =>
          match term_of ns s, term_of ns t with
          | Some s, Some t =>
              if same w ">=" then Some (AtLeast s t) else if same w "=" then Some (Equal s t) else None
          | _, _ => None
          end
      | [t; Leaf named; Leaf _] => if same w "!" && same named ":named" then formula_of ns t else None
      | _ => None
      end
  | _ => None
  end.

Definition defined (ns : names) (t : tree) : option command :=
  match t with
  | Node [Leaf w; p; s; t] =>
      if same w "ite" then
        match formula_of ns p, term_of ns s, term_of ns t with
        | Some p, Some s, Some t => Some (Choice p s t) | _, _, _ => None end
      else None
  | Node [Leaf w; Leaf x; Leaf y] =>
      if same w "*" then match symbol ns x, symbol ns y with Some x, Some y => Some (Product x y) | _, _ => None end
      else None
  | Node [Leaf w; t] =>
      match PositiveMap.find (key w) ns, term_of ns t with
      | Some (IsFunction f), Some t => Some (Value f t) | _, _ => None end
  | _ => None
  end.

(* A command, and the name that it gives. *)
Definition command_of (ns : names) (t : tree) : option (command * option text) :=
  match t with
  | Node [Leaf w] => if same w "check-sat" then Some (CheckSat, None) else None
  | Node [Leaf w; t] =>
      if same w "assert" then option_map (fun p => (Assert p, None)) (formula_of ns t)
      else if same w "set-logic" then Some (Nothing, None) else None
  | Node [Leaf w; Leaf name; Node []; Leaf int] =>
      if same w "declare-fun" && same int "Int" then Some (Number, Some name) else None
  | Node [Leaf w; Leaf name; Node [Leaf of]; Leaf int] =>
      if same w "declare-fun" && same of "Int" && same int "Int" then Some (Function, Some name) else None
  | Node [Leaf w; Leaf name; Node []; Leaf int; t] =>
      if same w "define-fun" && same int "Int" then option_map (fun c => (c, Some name)) (defined ns t) else None
  | _ => None
  end.

(* The commands of a script, of which the last is (check-sat). No name is given twice, and no number is a name. *)
Fixpoint commands (lines : list text) (ns : names) (n m : positive) : option (list command) :=
  match lines with
  | [] => None
  | l :: lines =>
      match line l with None => None | Some t =>
      match command_of ns t with
      | None => None
      | Some (CheckSat, _) => match lines with [] => Some [CheckSat] | _ => None end
      | Some (c, None) => option_map (cons c) (commands lines ns n m)
      | Some (c, Some name) =>
          match PositiveMap.find (key name) ns, is_number name, c with
          | None, None, Function =>
              option_map (cons c) (commands lines (PositiveMap.add (key name) (IsFunction m) ns) n (Pos.succ m))
          | None, None, _ =>
              option_map (cons c) (commands lines (PositiveMap.add (key name) (IsNumber n) ns) (Pos.succ n) m)
          | _, _, _ => None
          end
      end end
  end.

(* What a script says, given line by line: that its assertions do not all hold. What is no script says what is false. *)
Definition obligation (lines : list text) : Prop :=
  match commands lines (PositiveMap.empty what) 1 1 with
  | Some cs => meaning cs 1 1 (fun _ => 0) (fun _ _ => 0)
  | None => False
  end.

(* For readers. `Goal True. say s.` prints what the script s says; `state` makes a goal `obligation s` that statement. *)
Ltac commands_of s := eval vm_compute in (commands s (PositiveMap.empty what) 1%positive 1%positive).
Ltac say s :=
  match commands_of s with
  | Some ?cs =>
      let p := eval cbn [meaning holds value set Pos.succ Pos.eqb] in (meaning cs 1 1 (fun _ => 0) (fun _ _ => 0)) in
      idtac p
  | None => idtac "This is no script."
  end.
Ltac state :=
  match goal with |- context [obligation ?s] =>
    unfold obligation;
    let c := commands_of s in
    replace (commands s (PositiveMap.empty what) 1%positive 1%positive) with c by (vm_compute; reflexivity);
    cbn [meaning holds value set Pos.succ Pos.eqb]
  end.
