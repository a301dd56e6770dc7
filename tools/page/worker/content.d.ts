/** A name that changes with the page: the server sets it. */
declare const CONTENT: string;
