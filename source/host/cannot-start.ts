/** An instance that can never start as it is: trying again is of no use. */
export class CannotStart extends Error {
	override readonly name = 'CannotStart';
}
