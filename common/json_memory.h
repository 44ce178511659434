/* Memory for jansson. Where an allocation fails in the middle, that library (2.14)
 * may leave a gap in what it writes, call what it reads bad JSON, or fail an
 * assertion; so it never sees one fail. */
#ifndef COMMON_JSON_MEMORY_H
#define COMMON_JSON_MEMORY_H

/* The longest JSON that this memory is for, in bytes. */
enum { JSON_LONGEST = 8192 };

/* From here on jansson's memory comes from malloc(), and where that fails from a
 * reserve that is enough for JSON_LONGEST bytes. Nothing of jansson's may be alive.
 * Not for several threads at a time. */
void json_memory_start(void);

/* free() for what jansson hands over, such as the text of json_dumps. */
void json_memory_free(void *memory);

#endif
